//! A virtual machine in which nothing lasts: frozen libraries, no clock, no files, no caught errors.

use std::sync::OnceLock;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{
    Error, FromLuaMulti, Function, IntoLuaMulti, Lua, LuaOptions, Result, StdLib, Table, Value,
};

use crate::Limits;
use crate::budget::Budget;

/// A virtual machine with a script in it.
pub(crate) struct Sandbox {
    pub(crate) lua: Lua,
    /// The file as a function: running it defines the handlers.
    main: Function,
    /// The globals that the script defines, empty before each run.
    defined: Table,
    /// Whether globals may be defined now.
    phase: Table,
    pub(crate) budget: Budget,
}

/// What scripts may use of the language's own libraries.
fn libraries() -> StdLib {
    StdLib::TABLE | StdLib::STRING | StdLib::MATH | StdLib::BIT | StdLib::UTF8
}

/// Functions that are replaced, and that the compiler would otherwise call by shortcuts.
const REPLACED: [&str; 13] = [
    "tostring",
    "tonumber",
    "setmetatable",
    "assert",
    "unpack",
    "math.random",
    "string.byte",
    "string.format",
    "string.sub",
    "table.insert",
    "table.unpack",
    "table.concat",
    "table.create",
];

impl Sandbox {
    /// Makes a virtual machine, adds what `add` adds to its globals, freezes them, and reads a script.
    pub(crate) fn new(
        file: &str,
        text: &str,
        limits: &Limits,
        add: impl FnOnce(&Lua, &Table) -> Result<()>,
    ) -> Result<Self> {
        let lua = Lua::new_with(libraries(), LuaOptions::new())?;
        let compiler = Compiler::new().set_optimization_level(2).set_debug_level(1);
        lua.set_compiler(compiler.set_disabled_builtins(REPLACED));
        let budget = Budget::default();
        let meter = Meter { budget: budget.clone(), file: file.to_owned(), limit: limits.work };
        count_library(&lua, meter)?;
        let (phase, defined, on_global): (Table, Table, Function) = PRELUDE.call(&lua, ())?;
        let globals = lua.globals();
        add(&lua, &globals)?;
        lua.sandbox(true)?;
        // Reading a global looks among those of the script first, then among the language's.
        let behind = lua.create_table_from([("__index", globals)])?;
        behind.set_readonly(true);
        defined.set_metatable(Some(behind))?;
        let env = lua.create_table()?;
        let front = lua.create_table_from([("__index", defined.clone())])?;
        front.raw_set("__newindex", on_global)?;
        front.set_readonly(true);
        env.set_metatable(Some(front))?;
        env.set_safeenv(true);
        lua.set_memory_limit(limits.memory_bytes)?;
        budget.watch(&lua, file, limits.work);
        let chunk = lua.load(text).set_name(format!("={file}")).set_mode(ChunkMode::Text);
        let main = chunk.set_environment(env).into_function()?;
        Ok(Self { lua, main, defined, phase, budget })
    }

    /// Runs the file from its top, with nothing left of the last time.
    pub(crate) fn run(&self) -> Result<()> {
        self.defined.clear()?;
        self.phase.raw_set("loading", true)?;
        let outcome = self.main.call::<()>(());
        self.phase.raw_set("loading", false)?;
        outcome
    }

    /// Returns what the file defined under a name.
    pub(crate) fn defined(&self, name: &str) -> Result<Value> {
        self.defined.raw_get(name)
    }
}

/// A text of our own, compiled once for all machines.
struct Own {
    name: &'static str,
    text: &'static str,
    /// What is called by its name as scripts have it, and not by a shortcut.
    replaced: &'static [&'static str],
    compiled: OnceLock<Vec<u8>>,
}

static CHARGES: Own = Own {
    name: "=charges",
    text: include_str!("charges.luau"),
    // It is the one that calls the language's own functions.
    replaced: &[],
    compiled: OnceLock::new(),
};

static PRELUDE: Own = Own {
    name: "=prelude",
    text: include_str!("prelude.luau"),
    replaced: &REPLACED,
    compiled: OnceLock::new(),
};

impl Own {
    fn call<R: FromLuaMulti>(&self, lua: &Lua, arguments: impl IntoLuaMulti) -> Result<R> {
        let chunk = lua.load(self.compiled()?).set_name(self.name).set_mode(ChunkMode::Binary);
        chunk.call(arguments)
    }

    fn compiled(&self) -> Result<&[u8]> {
        if let Some(compiled) = self.compiled.get() {
            return Ok(compiled);
        }
        // Without lines in our own texts, errors are told at the lines of scripts.
        let compiler = Compiler::new().set_optimization_level(2).set_debug_level(0);
        let compiled =
            compiler.set_disabled_builtins(self.replaced.iter().copied()).compile(self.text)?;
        Ok(self.compiled.get_or_init(|| compiled))
    }
}

/// What work is counted by, for functions that go through much in one go.
struct Meter {
    budget: Budget,
    file: String,
    limit: u64,
}

impl Meter {
    fn charge(&self, lua: &Lua, work: u64) -> Result<()> {
        self.budget.charge(lua, &self.file, work, self.limit)
    }
}

/// Counts bytes that are handed to the host, as `charges.luau` counts those of texts.
pub(crate) fn count_bytes(lua: &Lua, bytes: usize) -> Result<()> {
    let meter = lua.app_data_ref::<Meter>().expect("every machine is made with it");
    meter.charge(lua, bytes as u64 / BYTES)
}

/// So many bytes count for a turn.
const BYTES: u64 = 256;

/// Makes the language's own functions count what they go through in one go.
fn count_library(lua: &Lua, meter: Meter) -> Result<()> {
    let (burdened, holding) = (meter.budget.clone(), meter.budget.clone());
    let burden = lua.create_function(move |_, more: i64| {
        burdened.burden(more);
        Ok(())
    })?;
    let hold = lua.create_function(move |_, values: f64| {
        holding.hold(values as u64);
        Ok(())
    })?;
    lua.set_app_data(meter);
    let charge = lua.create_function(|lua, work: f64| {
        let meter = lua.app_data_ref::<Meter>().expect("every machine is made with it");
        // What is no number, or beyond all bounds, is refused by the function itself.
        meter.charge(lua, work.clamp(0.0, 1e15) as u64)
    })?;
    CHARGES.call(lua, (charge, burden, hold))
}

/// Makes an error that tells the script's author what is wrong.
pub(crate) fn fault(message: impl Into<String>) -> Error {
    Error::RuntimeError(message.into())
}
