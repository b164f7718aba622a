//! A virtual machine in which nothing lasts: frozen libraries, no clock, no files, no caught errors.

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Error, Function, Lua, LuaOptions, Result, StdLib, Table, Value};

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

/// Functions that the prelude replaces, and that the compiler would otherwise call by shortcuts.
const REPLACED: [&str; 5] = ["tostring", "setmetatable", "string.format", "math.random", "assert"];

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
        let charge = charge(&lua, &budget, file, limits.work)?;
        let (phase, defined, on_global): (Table, Table, Function) =
            lua.load(include_str!("prelude.luau")).set_name("=prelude").call(charge)?;
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

/// Makes the function by which the prelude counts what is gone through in one go.
fn charge(lua: &Lua, budget: &Budget, file: &str, limit: u64) -> Result<Function> {
    let (budget, file) = (budget.clone(), file.to_owned());
    lua.create_function(move |lua, work: f64| {
        // What is no number, or beyond all bounds, is refused by the function itself.
        budget.charge(lua, &file, work.clamp(0.0, 1e15) as u64, limit)
    })
}

/// Makes an error that tells the script's author what is wrong.
pub(crate) fn fault(message: impl Into<String>) -> Error {
    Error::RuntimeError(message.into())
}
