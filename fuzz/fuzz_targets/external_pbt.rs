//! Whatever a program sends, reading it ends in as many outputs as were asked for or an error.
#![no_main]
use dp_assay::audit::external::wire::{Encoding, Form, Message, Request};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (u8, u8, u8, &[u8])| {
    let (encoding, length, count, mut stream) = input;
    let encoding = match encoding % 3 {
        0 => Encoding::Binary,
        1 => Encoding::Json,
        _ => Encoding::Any,
    };
    let form = Form {
        length: usize::from(length) + 1,
        encoding,
    };
    let request = Request {
        id: 0,
        seed: 0,
        first: 0,
        count: usize::from(count) + 1,
    };
    while let Ok(message) = Message::read(&mut stream) {
        if let Ok(form) = message.hello() {
            assert!(form.length > 0);
        }
        if let Ok(outputs) = message.outputs(&request, form) {
            assert_eq!(outputs.len(), request.count);
        }
    }
});
