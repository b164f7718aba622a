//! Scripts: any text, in a box.

use retake_script::{Call, Function, Handler, Host, Limits, Memory, Script, Table, Value};

use super::{Verdict, ensure, seen, text};
use crate::samples::files;

/// A world with nothing in it.
struct Nothing;

impl Host for Nothing {
    fn begin_again(&mut self) {}
}

const FUNCTIONS: &[Function<Nothing>] =
    &[Function { name: "echo", fields: &[], run: |_, arguments| Ok(arguments.to_vec()) }];

pub(super) fn samples() -> Vec<Vec<u8>> {
    files(&["worlds/scripts", "scenarios/worlds/scripts"], &[".luau"])
}

pub(super) fn read(input: &[u8]) -> Verdict {
    // A tenth of what a script has: endless ones are found out sooner.
    let limits = Limits { work: 100_000, memory_bytes: 8 << 20, ..Limits::default() };
    let text = text(input);
    let made = Script::new("s.luau", &text, Table::new(), FUNCTIONS, limits);
    let mut script = match made {
        Ok(script) => script,
        Err(error) => return told(&error.to_string()),
    };
    let mut memory = Memory::new(7);
    for handler in [Handler::Init, Handler::Step, Handler::OnCommand, Handler::OnMessage] {
        let arguments = [Value::Text("go".into()), Value::Table(Table::new())];
        let call =
            Call { handler, memory: &memory, fields: &[("time", 1.5)], arguments: &arguments };
        match script.call(&call, Nothing) {
            Ok(outcome) => {
                ensure(outcome.printed.len() <= limits.printed_lines + 1, || {
                    format!("{} lines were printed", outcome.printed.len())
                })?;
                memory = outcome.memory;
            }
            Err(error) => return told(&error.to_string()),
        }
    }
    Ok(seen(true))
}

fn told(error: &str) -> Verdict {
    ensure(error.contains("s.luau"), || format!("an error without its file: {error}"))?;
    Ok(seen(false))
}
