//! Undirected communication graphs: who exchanges models with whom.
//!
//! | module | what is in it |
//! |---|---|
//! | [`family`] | ring, path, star, torus, complete, hypercube, random graphs; `ring:16` and the like |
//! | [`edge_list`] | a text file of edges |
//! | [`spectrum`] | algebraic connectivity, enclosed |

pub mod edge_list;
pub mod family;
pub mod spectrum;

use nalgebra::DMatrix;

/// Most vertices of a graph: vertex numbers fit 32 bits, and a typing error in a file does not
/// exhaust the memory.
pub const VERTICES_MAX: usize = 1 << 22;

/// A simple undirected graph on the vertices 0, …, n − 1, n ≥ 1: no loops, no repeated edges. It
/// need not be connected.
///
/// ```
/// use dp_assay::graph::Graph;
///
/// // A triangle and an isolated vertex.
/// let graph = Graph::new(4, &[(0, 1), (1, 2), (0, 2)])?;
/// assert_eq!((graph.n(), graph.edge_count()), (4, 3));
/// assert_eq!((graph.neighbours(0), graph.degree(3)), (&[1, 2][..], 0));
/// assert_eq!(graph.component_sizes(), [3, 1]);
/// assert!(graph.require_connected().is_err());
/// let (triangle, _) = graph.induced(|i| i != 3).expect("three vertices are left");
/// assert!(triangle.is_connected());
/// assert_eq!(triangle.laplacian()[(0, 0)], 2.0);
/// assert!(Graph::new(1, &[(0, 0)]).is_err()); // a loop
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// Vertex i's neighbours are `neighbours[offsets[i]..offsets[i + 1]]`, ascending.
    offsets: Vec<usize>,
    neighbours: Vec<u32>,
    transitive: bool,
}

/// A graph that cannot be built or used, and why. Vertices are counted from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GraphError {
    /// No vertex, or more than [`VERTICES_MAX`].
    #[error("a graph with {0} vertices: must have 1 to {VERTICES_MAX}")]
    Vertices(usize),
    /// An edge from a vertex to itself.
    #[error("self-loop at vertex {0}: a user shares no noise with itself")]
    SelfLoop(usize),
    /// The same edge twice, in either direction.
    #[error("edge {{{0}, {1}}} appears more than once")]
    Duplicate(usize, usize),
    /// An end of an edge that is no vertex.
    #[error("edge {{{0}, {1}}} leaves the {2} vertices, which are counted from 0")]
    OutOfRange(usize, usize, usize),
    /// Some vertices cannot be reached from others.
    #[error(
        "the graph is disconnected: {components} components, the smallest of {smallest} vertices; \
         vertex {unreached} cannot be reached from vertex 0"
    )]
    Disconnected {
        /// Number of connected components.
        components: usize,
        /// Number of vertices of the smallest one.
        smallest: usize,
        /// A vertex outside the component of vertex 0.
        unreached: usize,
    },
    /// A parameter of a family outside its domain.
    #[error("{family}: {parameter} = {value} {rule}")]
    Parameter {
        /// The family.
        family: &'static str,
        /// Its parameter.
        parameter: &'static str,
        /// The value offered.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// A description that is no graph.
    #[error("graph `{0}` is not one of {forms}", forms = family::FORMS)]
    Unknown(String),
    /// A line of an edge list that is not understood.
    #[error("line {line}: `{text}` is not two vertex numbers, nor `n` and the number of vertices")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What it says.
        text: String,
    },
    /// A line of an edge list that breaks a rule.
    #[error("line {line}: {error}")]
    At {
        /// The line, counted from 1.
        line: usize,
        /// The rule.
        error: Box<GraphError>,
    },
    /// A file that cannot be read.
    #[error("{file}: {problem}")]
    File {
        /// The file.
        file: String,
        /// What is wrong with it.
        problem: String,
    },
}

impl Graph {
    /// The graph on n vertices with these edges.
    ///
    /// # Errors
    /// No vertex, too many vertices, a loop, a repeated edge, an end outside 0 … n − 1.
    pub fn new(n: usize, edges: &[(usize, usize)]) -> Result<Self, GraphError> {
        if n == 0 || n > VERTICES_MAX {
            return Err(GraphError::Vertices(n));
        }
        let mut lists = vec![Vec::new(); n];
        for &(i, j) in edges {
            if i >= n || j >= n {
                return Err(GraphError::OutOfRange(i, j, n));
            }
            if i == j {
                return Err(GraphError::SelfLoop(i));
            }
            lists[i].push(j as u32);
            lists[j].push(i as u32);
        }
        Self::from_lists(lists)
    }

    fn from_lists(mut lists: Vec<Vec<u32>>) -> Result<Self, GraphError> {
        let mut offsets = vec![0];
        let mut neighbours = Vec::new();
        for (i, list) in lists.iter_mut().enumerate() {
            list.sort_unstable();
            if let Some(pair) = list.windows(2).find(|pair| pair[0] == pair[1]) {
                let j = pair[0] as usize;
                return Err(GraphError::Duplicate(i.min(j), i.max(j)));
            }
            neighbours.extend_from_slice(list);
            offsets.push(neighbours.len());
        }
        Ok(Self {
            offsets,
            neighbours,
            transitive: false,
        })
    }

    /// The same graph, known to look the same from every vertex.
    fn vertex_transitive(self) -> Self {
        Self {
            transitive: true,
            ..self
        }
    }

    /// Whether the graph is known to be vertex-transitive, because its family is. `false` says
    /// nothing.
    #[must_use]
    pub const fn is_vertex_transitive(&self) -> bool {
        self.transitive
    }

    /// Number of vertices n.
    #[must_use]
    pub fn n(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The neighbours of i, ascending; i is not among them.
    #[must_use]
    pub fn neighbours(&self, i: usize) -> &[u32] {
        &self.neighbours[self.offsets[i]..self.offsets[i + 1]]
    }

    /// Number of neighbours of i.
    #[must_use]
    pub fn degree(&self, i: usize) -> usize {
        self.offsets[i + 1] - self.offsets[i]
    }

    /// The smallest degree.
    #[must_use]
    pub fn min_degree(&self) -> usize {
        (0..self.n()).map(|i| self.degree(i)).min().unwrap_or(0)
    }

    /// Whether all pairs are joined.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.min_degree() + 1 == self.n()
    }

    /// The largest degree; 0 without edges.
    #[must_use]
    pub fn max_degree(&self) -> usize {
        (0..self.n()).map(|i| self.degree(i)).max().unwrap_or(0)
    }

    /// Number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.neighbours.len() / 2
    }

    /// The edges (i, j), i < j, in ascending order. The place of an edge in it is its number.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        (0..self.n()).flat_map(move |i| {
            let above = self.neighbours(i).iter().map(|&j| j as usize);
            above.filter(move |&j| j > i).map(move |j| (i, j))
        })
    }

    /// The number of every vertex's connected component, in the order of their least vertices.
    #[must_use]
    pub fn components(&self) -> Vec<usize> {
        let mut label = vec![usize::MAX; self.n()];
        let mut count = 0;
        for start in 0..self.n() {
            if label[start] != usize::MAX {
                continue;
            }
            label[start] = count;
            let mut stack = vec![start];
            while let Some(i) = stack.pop() {
                for &j in self.neighbours(i) {
                    if label[j as usize] == usize::MAX {
                        label[j as usize] = count;
                        stack.push(j as usize);
                    }
                }
            }
            count += 1;
        }
        label
    }

    /// The number of vertices of each connected component.
    #[must_use]
    pub fn component_sizes(&self) -> Vec<usize> {
        let mut sizes = Vec::new();
        for label in self.components() {
            sizes.resize(sizes.len().max(label + 1), 0);
            sizes[label] += 1;
        }
        sizes
    }

    /// Whether every vertex can be reached from every other one; true for one vertex.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.component_sizes().len() == 1
    }

    /// Refuses a disconnected graph.
    ///
    /// # Errors
    /// [`GraphError::Disconnected`].
    pub fn require_connected(&self) -> Result<(), GraphError> {
        let labels = self.components();
        match labels.iter().position(|&label| label != 0) {
            None => Ok(()),
            Some(unreached) => {
                let sizes = self.component_sizes();
                Err(GraphError::Disconnected {
                    components: sizes.len(),
                    smallest: sizes.into_iter().min().unwrap_or(0),
                    unreached,
                })
            }
        }
    }

    /// The subgraph induced by the vertices for which `keep` is true, renumbered in order, and their
    /// old numbers; `None` if no vertex is left.
    #[must_use]
    pub fn induced(&self, keep: impl Fn(usize) -> bool) -> Option<(Self, Vec<usize>)> {
        let kept: Vec<usize> = (0..self.n()).filter(|&i| keep(i)).collect();
        let mut new = vec![u32::MAX; self.n()];
        for (to, &from) in kept.iter().enumerate() {
            new[from] = to as u32;
        }
        let mut offsets = vec![0];
        let mut neighbours = Vec::new();
        for &i in &kept {
            let all = self.neighbours(i).iter().map(|&j| new[j as usize]);
            neighbours.extend(all.filter(|&j| j != u32::MAX));
            offsets.push(neighbours.len());
        }
        let graph = Self {
            offsets,
            neighbours,
            transitive: false,
        };
        (!kept.is_empty()).then_some((graph, kept))
    }

    /// The Laplacian diag(deg) − A, n × n.
    #[must_use]
    pub fn laplacian(&self) -> DMatrix<f64> {
        let mut laplacian = DMatrix::zeros(self.n(), self.n());
        for i in 0..self.n() {
            laplacian[(i, i)] = self.degree(i) as f64;
            for &j in self.neighbours(i) {
                laplacian[(i, j as usize)] = -1.0;
            }
        }
        laplacian
    }
}
