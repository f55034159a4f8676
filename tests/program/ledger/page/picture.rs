//! A screenshot, seen from afar: mean brightness of a coarse grid of tiles.
//!
//! Fonts differ from machine to machine, so that single pixels mean nothing.

use std::path::PathBuf;

/// Pixels on each side of a tile.
const TILE: usize = 50;

pub struct Picture {
    columns: usize,
    /// Mean brightness of each tile, 0 to 255, row by row.
    tiles: Vec<f64>,
}

impl Picture {
    /// Reads a PNG.
    pub fn read(png: &[u8]) -> Self {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(png));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        let mut reader = decoder.read_info().expect("a PNG");
        let mut pixels = vec![0; reader.output_buffer_size().expect("a small picture")];
        let frame = reader.next_frame(&mut pixels).expect("a whole PNG");
        let (width, height) = (frame.width as usize, frame.height as usize);
        let channels = frame.line_size / width;
        let (columns, rows) = (width / TILE, height / TILE);
        let brightness = |x: usize, y: usize| {
            let at = y * frame.line_size + x * channels;
            let colours = &pixels[at..at + channels.min(3)];
            colours.iter().map(|c| f64::from(*c)).sum::<f64>() / colours.len() as f64
        };
        let mean = |tile: usize| {
            let (left, top) = (tile % columns * TILE, tile / columns * TILE);
            let pixels = (0..TILE * TILE).map(|i| brightness(left + i % TILE, top + i / TILE));
            pixels.sum::<f64>() / (TILE * TILE) as f64
        };
        Self {
            columns,
            tiles: (0..columns * rows).map(mean).collect(),
        }
    }

    /// Mean difference in brightness of the tiles; a picture of another size is infinitely far.
    pub fn distance(&self, other: &Self) -> f64 {
        if (self.columns, self.tiles.len()) != (other.columns, other.tiles.len()) {
            return f64::INFINITY;
        }
        let sum: f64 = self
            .tiles
            .iter()
            .zip(&other.tiles)
            .map(|(a, b)| (a - b).abs())
            .sum();
        sum / self.tiles.len() as f64
    }

    /// The stored picture of this name.
    pub fn load(name: &str) -> Self {
        let text =
            std::fs::read_to_string(file(name)).expect("the picture is stored (UPDATE_PICTURES=1)");
        let rows: Vec<Vec<f64>> = text
            .lines()
            .map(|line| {
                line.split(' ')
                    .map(|t| t.parse().expect("a number"))
                    .collect()
            })
            .collect();
        Self {
            columns: rows[0].len(),
            tiles: rows.concat(),
        }
    }

    /// Stores it.
    pub fn save(&self, name: &str) {
        let row = |tiles: &[f64]| {
            tiles
                .iter()
                .map(|t| format!("{t:.0}"))
                .collect::<Vec<_>>()
                .join(" ")
        };
        let rows: Vec<String> = self.tiles.chunks(self.columns).map(row).collect();
        std::fs::write(file(name), rows.join("\n") + "\n").expect("a writable folder");
    }
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/program/ledger/page/{name}.txt"))
}
