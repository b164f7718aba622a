//! What scripts can and cannot do, told by what comes of calling them.

use expect_test::{Expect, expect};
use retake_script::{
    Call, Function, Handler, Host, Limits, Memory, Outcome, Script, ScriptError, Table, Value,
};

/// A world of one number.
#[derive(Clone, Debug, Default)]
struct Counter {
    number: f64,
}

impl Host for Counter {
    fn begin_again(&mut self) {
        self.number = 0.0;
    }
}

const API: &[Function<Counter>] = &[
    Function {
        name: "add",
        fields: &[],
        run: |host, args| match args {
            [Value::Number(number)] => {
                host.number += number;
                Ok(vec![Value::Number(host.number)])
            }
            _ => Err("number is missing; write a number".to_owned()),
        },
    },
    Function { name: "echo", fields: &[], run: |_, args| Ok(args.to_vec()) },
    Function { name: "pair", fields: &["first", "second"], run: |_, args| Ok(args.to_vec()) },
];

const LIMITS: Limits = Limits {
    work: 100_000,
    memory_bytes: 8 << 20,
    state_bytes: 4096,
    depth: 8,
    text_bytes: 4096,
    printed_lines: 3,
    printed_chars: 20,
};

fn script(text: &str) -> Result<Script<Counter>, ScriptError> {
    Script::new("test.luau", text, Table::new(), API, LIMITS)
}

fn step(script: &mut Script<Counter>, memory: &Memory) -> Result<Outcome<Counter>, ScriptError> {
    let fields = [("time", 2.5)];
    let call = Call { handler: Handler::Step, memory, fields: &fields, arguments: &[] };
    script.call(&call, Counter::default())
}

/// Runs three steps; tells the state after them and what was printed, or what went wrong.
fn told(text: &str) -> String {
    let run = || {
        let mut script = script(text)?;
        let mut memory = Memory::new(7);
        let mut printed = Vec::new();
        for _ in 0..3 {
            let outcome = step(&mut script, &memory)?;
            memory = outcome.memory;
            printed.extend(outcome.printed);
        }
        Ok::<_, ScriptError>(format!("{} {printed:?}", tell(&memory.state)))
    };
    run().unwrap_or_else(|error| error.to_string())
}

fn tell(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let fields = table.iter().map(|(key, value)| format!("{key}={}", tell(value)));
            format!("{{{}}}", fields.collect::<Vec<_>>().join(" "))
        }
        Value::Nil => "nil".to_owned(),
        Value::Boolean(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::Text(text) => format!("{text:?}"),
    }
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&told(text));
}

#[test]
fn state_lasts_and_nothing_else_does() {
    check(
        "local top = 0
         function step(state, api)
             top = top + 1
             state.n = (state.n or 0) + 1
             state.top = top
             state.time = api.time
         end",
        expect!["{.n=3 .time=2.5 .top=1} []"],
    );
}

#[test]
fn globals_are_defined_at_the_top_and_written_nowhere_else() {
    check(
        "GAIN = 2
         function double(x) return GAIN * x end
         function step(state) state.x = double(4) end",
        expect!["{.x=8} []"],
    );
    check(
        "count = 0
         function step(state)
             count = count + 1
         end",
        expect![[
            r#"test.luau:3: "count" is a global, which is forgotten after each step: keep it as state.count, or write local count"#
        ]],
    );
    check(
        "function step(state) other = 1 end",
        expect![[
            r#"test.luau:1: "other" is a global, which is forgotten after each step: keep it as state.other, or write local other"#
        ]],
    );
    check(
        "function step(state) math.pi = 3 end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step(state, api) api.time = 3 end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step(state) string.upper = nil end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step(state) (getmetatable('')).__index = nil end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
}

#[test]
fn what_would_reach_outside_is_not_there() {
    check(
        "function step(state)
             state.seen = tostring(os or io or debug or require or loadstring or load or dofile)
                 .. tostring(pcall or xpcall or coroutine or collectgarbage or gcinfo)
                 .. tostring(getfenv or setfenv or _G or shared or newproxy)
                 .. tostring(string.dump or math.randomseed)
         end",
        expect![[r#"{.seen="nilnilnilnil"} []"#]],
    );
}

#[test]
fn what_differs_from_run_to_run_is_not_told() {
    check(
        "function step(state)
             state.text = tostring({}) .. tostring(print) .. string.format('%s|%*|%d', {}, print, 3)
             state.inside = `{ {} }`
             print({}, 1.5, 'x', true, nil)
         end",
        expect![[
            r#"{.inside="table" .text="tablefunctiontable|function|3"} ["table\t1.5\tx\ttrue\tnil", "table\t1.5\tx\ttrue\tnil", "table\t1.5\tx\ttrue\tnil"]"#
        ]],
    );
    check("function step() error({}) end", expect!["test.luau:1: table"]);
    check(
        "function step() setmetatable({}, {__mode = 'k'}) end",
        expect!["test.luau:1: weak tables are not for scripts: remove __mode"],
    );
    check(
        "function step()
             local kind = {}
             setmetatable({}, kind)
             kind.__mode = 'k'
         end",
        expect!["test.luau:4: attempt to modify a readonly table"],
    );
}

#[test]
fn errors_have_file_and_line() {
    check(
        "function step(\n",
        expect!["test.luau:2: Expected identifier when parsing variable name, got <eof>"],
    );
    check("\nlocal x = nil\nx.y = 1", expect!["test.luau:3: attempt to index nil with 'y'"]);
    check(
        "function step(state)\n  local x = nil\n  return x.y\nend",
        expect!["test.luau:3: attempt to index nil with 'y'"],
    );
    check(
        "function step(state, api)\n\n  api.add('three')\nend",
        expect!["test.luau:3: api.add: number is missing; write a number"],
    );
    check(
        "function step(state, api)\n  api.echo(print)\nend",
        expect![
            "test.luau:2: api.echo: argument 1 is a function; only tables, numbers, strings and booleans can be kept"
        ],
    );
    check(
        "function step()\n error('the door is shut') end",
        expect!["test.luau:2: the door is shut"],
    );
    check("step = 3", expect!["test.luau: step is a number; it must be a function"]);
    check(
        "function step() math.random(3, 1) end",
        expect!["test.luau:1: math.random has no number from 3 to 1"],
    );
}

#[test]
fn what_never_ends_is_ended() {
    check(
        "function step()\n  while true do end\nend",
        expect![
            "test.luau:2: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
    check(
        "while true do end",
        expect![
            "test.luau:1: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
    check(
        "local function f() return f() end\nfunction step() f() end",
        expect!["test.luau:1: stack overflow"],
    );
    check(
        "local function f() return 1 + f() end\nfunction step() f() end",
        expect!["test.luau:1: stack overflow"],
    );
    check(
        "function step() string.find(string.rep('a', 5000), string.rep('a-', 200) .. 'b') end",
        expect!["test.luau:1: pattern too complex"],
    );
}

#[test]
fn what_takes_too_much_memory_is_ended() {
    check(
        "function step()
             local all = {}
             for i = 1, 90 do all[i] = string.rep('x', 100000) .. i end
         end",
        expect!["test.luau: step needs more than the 8 MiB of memory that a script may use"],
    );
    check(
        "function step() string.rep('x', 1e8) end",
        expect!["test.luau: step needs more than the 8 MiB of memory that a script may use"],
    );
    check("function step() table.create(1e8, 0) end", expect!["test.luau:1: table overflow"]);
}

#[test]
fn what_one_call_goes_through_in_one_go_counts() {
    let too_long = expect![
        "test.luau:1: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
    ];
    // Two thousand million places, nothing in any of them.
    check("function step() table.move({}, 1, 2^31 - 3, 2) end", too_long);
    check(
        "function step()
             local list = table.create(60000, 1)
             table.sort(list)
             table.sort(list)
         end",
        expect![
            "test.luau:4: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
    check(
        "function step(state)
             local list = table.move({3, 1, 2}, 1, 3, 2, {7})
             table.sort(list, function(a, b) return a > b end)
             state.list = list
         end",
        expect!["{.list={[1]=7 [2]=3 [3]=2 [4]=1}} []"],
    );
}

#[test]
fn long_texts_make_turns_count_more() {
    // Each turn goes through a megabyte: a million of such turns would take minutes.
    let expected = expect![
        "test.luau:4: step takes too long with what it holds: beyond 1 MiB, each turn of a loop and each call counts the more, the more there is. Hold less, or spread the work over several steps"
    ];
    check(
        "function step()
             local text, less = string.rep('x', 1000000), 0
             local one, other = text .. 'a', text .. 'b'
             for i = 1, 49000 do if one < other then less += 1 end end
         end",
        expected,
    );
}

#[test]
fn nothing_outside_of_its_memory_can_be_filled() {
    // The same text many times is short inside, and long when it is copied.
    check(
        "function step(state, api)
             local texts = table.create(5000, string.rep('x', 4000))
             api.echo(table.unpack(texts))
         end",
        expect!["test.luau:3: api.echo: it takes 16 arguments at most"],
    );
    check(
        "function step(state)
             if state.done then return end
             state.done = true
             print(table.unpack(table.create(5000, string.rep('x', 100000))))
         end",
        expect![[r#"{.done=true} ["xxxxxxxxxxxxxxxxxxxx"]"#]],
    );
}

#[test]
fn what_is_thrown_has_the_same_text_in_every_run() {
    check("function step() assert(false, {}) end", expect!["test.luau:1: table"]);
    check("function step() assert(nil) end", expect!["test.luau:1: assertion failed!"]);
    check("function step() assert(1 > 2, 'no') end", expect!["test.luau:1: no"]);
    check(
        "function step(state) state.a, state.b = assert(1, 'two') end",
        expect![[r#"{.a=1 .b="two"} []"#]],
    );
    check("function step() error(print) end", expect!["test.luau:1: function"]);
    check(
        "function step() local t = setmetatable({}, {__index = function() error({}) end}) return t.x end",
        expect!["test.luau:1: table"],
    );
}

#[test]
fn the_way_out_of_the_sandbox_is_shut() {
    // What a metatable could change is frozen, whoever gave it.
    check(
        "function step() getmetatable('').__len = function() return 0 end end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step(state, api) setmetatable(api, {}) end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step() setmetatable(string, {}) end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step(_, api) rawset(api, 'add', 1) end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step() rawset(math, 'pi', 3) end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    check(
        "function step() table.clear(string) end",
        expect!["test.luau:1: attempt to modify a readonly table"],
    );
    // A metamethod is no place to hide work or a memory in.
    check(
        "local t = setmetatable({}, {__index = function(_, k) while true do end end})
         function step() return t.x end",
        expect![
            "test.luau:1: step takes too long: it went through loops and calls 100000 times. Is there a loop that never ends? Spread long work over several steps"
        ],
    );
    check(
        "local seen = {n = 0}
         local t = setmetatable({}, {__newindex = function(_, k, v) seen.n += 1 end})
         function step(state) t.x = 1 state.n = seen.n end",
        expect!["{.n=1} []"],
    );
}

#[test]
fn a_state_of_another_shape_is_the_new_texts_to_deal_with() {
    let mut old = script("function step(state) state.total = {sum = 4} end").unwrap();
    let memory = step(&mut old, &Memory::new(1)).unwrap().memory;
    // What the old text kept as a table the new one takes for a number: it fails at its line, and
    // what was kept is as it was.
    let mut new = script("function step(state)\n  state.total += 1\nend").unwrap();
    let error = step(&mut new, &memory).unwrap_err().to_string();
    assert_eq!(error, "test.luau:2: attempt to perform arithmetic (add) on table and number");
    let mut kind = script(
        "function step(state)
             if type(state.total) == 'table' then state.total = state.total.sum end
             state.total += 1
         end",
    )
    .unwrap();
    let after = step(&mut kind, &memory).unwrap().memory;
    assert_eq!(tell(&after.state), "{.total=5}");
    assert_eq!(tell(&memory.state), "{.total={.sum=4}}");
}

#[test]
fn litter_of_earlier_calls_does_not_count() {
    let mut script = script(
        "function step(state)
             local all = {}
             for i = 1, 3000 do all[i] = string.rep('x', 1000) .. i end
         end",
    )
    .unwrap();
    let mut memory = Memory::new(1);
    for _ in 0..200 {
        memory = step(&mut script, &memory).unwrap().memory;
    }
}

#[test]
fn only_a_tree_of_plain_values_is_kept() {
    check(
        "function step(state) state.f = print end",
        expect![
            "test.luau: after step, state.f is a function; only tables, numbers, strings and booleans can be kept"
        ],
    );
    check(
        "function step(state) state.me = state end",
        expect![
            "test.luau: after step, state.me is a table that holds itself; keep a name or a number of it"
        ],
    );
    check(
        "function step(state) state.a = {b = {}} state.a.b.c = state.a end",
        expect![
            "test.luau: after step, state.a.b.c is a table that holds itself; keep a name or a number of it"
        ],
    );
    check(
        "function step(state) local t = {} state.a = t state.b = t end",
        expect![
            "test.luau: after step, state.b is a table that is there already; what is kept is a tree, so copy it"
        ],
    );
    check(
        "function step(state) state.a = setmetatable({}, {}) end",
        expect![
            "test.luau: after step, state.a has a metatable, which cannot be kept; keep a plain table"
        ],
    );
    check(
        "function step(state) state[true] = 1 end",
        expect!["test.luau: after step, state has a boolean as key; keys are numbers and strings"],
    );
    check(
        "function step(state) state.a = '\\255' end",
        expect!["test.luau: after step, state.a is not UTF-8 text"],
    );
    check(
        "function step(state) state.a = string.rep('x', 5000) end",
        expect!["test.luau: after step, state.a makes it longer than 4096 bytes in all"],
    );
    check(
        "function step(state)
             local t = state
             for i = 1, 9 do t.x = {} t = t.x end
         end",
        expect!["test.luau: after step, state.x.x.x.x.x.x.x.x is nested deeper than 8 tables"],
    );
    check(
        "function step(state)
             state.list = {1, 2, {x = true}}
             state[2.5] = 'half'
             state['#1'] = 0/0
             state.minus = -0.0
         end",
        expect![[r#"{[2.5]="half" .#1=NaN .list={[1]=1 [2]=2 [3]={.x=true}} .minus=-0} []"#]],
    );
}

#[test]
fn printing_is_bounded() {
    check(
        "function step(state)
             if state.done then return end
             state.done = true
             for i = 1, 9 do print(i, string.rep('long ', 9)) end
         end",
        expect![[
            r#"{.done=true} ["1\tlong long long lon", "2\tlong long long lon", "3\tlong long long lon"]"#
        ]],
    );
}

#[test]
fn random_numbers_are_part_of_the_memory() {
    let text = "function step(state)
        state.dice = math.random(6)
        state.part = math.random()
        state.wide = math.random(-5, 5)
    end";
    let mut first = script(text).unwrap();
    let (mut memory, mut seen) = (Memory::new(3), Vec::new());
    for _ in 0..50 {
        memory = step(&mut first, &memory).unwrap().memory;
        seen.push(memory.clone());
    }
    for state in &seen {
        let number = |name: &str| state.state.get(name).and_then(Value::number).unwrap();
        assert!((1.0..=6.0).contains(&number("dice")));
        assert!((0.0..1.0).contains(&number("part")));
        assert!((-5.0..=5.0).contains(&number("wide")));
    }
    assert_ne!(seen[0].state, seen[1].state);
    // Another machine goes on from the middle.
    let mut second = script(text).unwrap();
    let mut memory = seen[20].clone();
    for later in &seen[21..] {
        memory = step(&mut second, &memory).unwrap().memory;
        assert_eq!(memory, *later);
    }
}

#[test]
fn any_machine_goes_on_where_another_was() {
    // Goes through tables in their own order, which a machine with a past must not have changed.
    let text = "function step(state)
        state.seen = state.seen or {}
        state.seen['k' .. math.random(40)] = math.random()
        local sum, order = 0, ''
        for key, value in state.seen do
            sum = sum * 0.5 + value
            order = order .. key
        end
        state.sum, state.order = sum, order
        if math.random() < 0.3 then state.seen[next(state.seen)] = nil end
    end";
    let mut lasting = script(text).unwrap();
    let mut memory = Memory::new(11);
    for _ in 0..200 {
        let before = memory.clone();
        memory = step(&mut lasting, &before).unwrap().memory;
        let mut fresh = script(text).unwrap();
        assert_eq!(step(&mut fresh, &before).unwrap().memory, memory);
    }
}

#[test]
fn results_can_have_names() {
    check(
        "function step(state, api) state.pair = api.pair(1, 'x') end",
        expect![[r#"{.pair={.first=1 .second="x"}} []"#]],
    );
    check(
        "function step(state, api)\n  api.pair(print)\nend",
        expect![
            "test.luau:2: api.pair: argument 1 is a function; only tables, numbers, strings and booleans can be kept"
        ],
    );
}

#[test]
fn a_call_that_fails_gives_nothing() {
    let mut failing =
        script("function step(state, api) api.add(1) state.x = 1 error('no') end").unwrap();
    assert!(step(&mut failing, &Memory::new(1)).is_err());
    let mut script = script("function step(state, api) api.add(api.add(2)) end").unwrap();
    let outcome = step(&mut script, &Memory::new(1)).unwrap();
    assert_eq!(outcome.host.number, 4.0);
}

#[test]
fn a_script_defines_something() {
    let check = |text: &str| {
        let checked = script(text).unwrap().check(&Memory::new(1), Counter::default());
        checked.err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert_eq!(check("function on_command() end"), "");
    expect!["test.luau defines none of init, step, on_command and on_message, so that it would never act"]
        .assert_eq(&check("function stepp() end"));
    let long = script(&" ".repeat(5000)).err().map(|error| error.to_string());
    assert_eq!(long.as_deref(), Some("test.luau has 5000 bytes; a script may have 4096"));
}
