//! Units that a number can be converted between.

use super::error::suggestion;

/// A unit, and how many of the SI unit it is.
#[derive(Debug)]
pub(super) struct Unit {
    name: &'static str,
    quantity: &'static str,
    in_si: f64,
}

/// Returns the number that a value in one unit is multiplied with to be in another.
pub(super) fn factor(from: &Unit, to: &Unit) -> Result<f64, String> {
    if from.quantity == to.quantity {
        return Ok(from.in_si / to.in_si);
    }
    let Unit { name, quantity, .. } = from;
    Err(format!("{name} is a unit of {quantity}, but {} one of {}", to.name, to.quantity))
}

/// Returns the unit of a name.
pub(super) fn find(name: &str) -> Result<&'static Unit, String> {
    let found = UNITS.iter().find(|unit| unit.name == name);
    found.ok_or_else(|| {
        let near = suggestion(name, UNITS.iter().map(|unit| unit.name));
        format!("there is no unit {name:?}{near}")
    })
}

const fn unit(name: &'static str, quantity: &'static str, in_si: f64) -> Unit {
    Unit { name, quantity, in_si }
}

const RADIANS_PER_TURN: f64 = std::f64::consts::TAU;
const KILOGRAMS_PER_POUND: f64 = 0.453_592_37;
const METRES_PER_FOOT: f64 = 0.3048;
const METRES_PER_MILE: f64 = 1609.344;
const STANDARD_GRAVITY: f64 = 9.80665;
const NEWTONS_PER_POUND: f64 = KILOGRAMS_PER_POUND * STANDARD_GRAVITY;

static UNITS: [Unit; 70] = [
    unit("m", "length", 1.0),
    unit("km", "length", 1e3),
    unit("cm", "length", 1e-2),
    unit("mm", "length", 1e-3),
    unit("um", "length", 1e-6),
    unit("in", "length", METRES_PER_FOOT / 12.0),
    unit("ft", "length", METRES_PER_FOOT),
    unit("yd", "length", 3.0 * METRES_PER_FOOT),
    unit("mi", "length", METRES_PER_MILE),
    unit("rad", "angle", 1.0),
    unit("mrad", "angle", 1e-3),
    unit("deg", "angle", RADIANS_PER_TURN / 360.0),
    unit("turn", "angle", RADIANS_PER_TURN),
    unit("rev", "angle", RADIANS_PER_TURN),
    unit("m/s", "speed", 1.0),
    unit("mm/s", "speed", 1e-3),
    unit("cm/s", "speed", 1e-2),
    unit("m/min", "speed", 1.0 / 60.0),
    unit("km/h", "speed", 1.0 / 3.6),
    unit("ft/s", "speed", METRES_PER_FOOT),
    unit("in/s", "speed", METRES_PER_FOOT / 12.0),
    unit("mph", "speed", METRES_PER_MILE / 3600.0),
    unit("kn", "speed", 1852.0 / 3600.0),
    unit("rad/s", "angular speed", 1.0),
    unit("deg/s", "angular speed", RADIANS_PER_TURN / 360.0),
    unit("rev/s", "angular speed", RADIANS_PER_TURN),
    unit("rpm", "angular speed", RADIANS_PER_TURN / 60.0),
    unit("kg", "mass", 1.0),
    unit("g", "mass", 1e-3),
    unit("mg", "mass", 1e-6),
    unit("t", "mass", 1e3),
    unit("lb", "mass", KILOGRAMS_PER_POUND),
    unit("oz", "mass", KILOGRAMS_PER_POUND / 16.0),
    unit("N", "force", 1.0),
    unit("mN", "force", 1e-3),
    unit("kN", "force", 1e3),
    unit("kgf", "force", STANDARD_GRAVITY),
    unit("lbf", "force", NEWTONS_PER_POUND),
    unit("Nm", "torque", 1.0),
    unit("N*m", "torque", 1.0),
    unit("mNm", "torque", 1e-3),
    unit("Ncm", "torque", 1e-2),
    unit("kNm", "torque", 1e3),
    unit("kgf*m", "torque", STANDARD_GRAVITY),
    unit("kgf*cm", "torque", STANDARD_GRAVITY * 1e-2),
    unit("lbf*ft", "torque", NEWTONS_PER_POUND * METRES_PER_FOOT),
    unit("lbf*in", "torque", NEWTONS_PER_POUND * METRES_PER_FOOT / 12.0),
    unit("J", "energy", 1.0),
    unit("mJ", "energy", 1e-3),
    unit("kJ", "energy", 1e3),
    unit("MJ", "energy", 1e6),
    unit("Wh", "energy", 3.6e3),
    unit("kWh", "energy", 3.6e6),
    unit("cal", "energy", 4.184),
    unit("kcal", "energy", 4184.0),
    unit("W", "power", 1.0),
    unit("mW", "power", 1e-3),
    unit("kW", "power", 1e3),
    unit("MW", "power", 1e6),
    unit("hp", "power", 550.0 * NEWTONS_PER_POUND * METRES_PER_FOOT),
    unit("s", "time", 1.0),
    unit("ms", "time", 1e-3),
    unit("us", "time", 1e-6),
    unit("ns", "time", 1e-9),
    unit("min", "time", 60.0),
    unit("h", "time", 3600.0),
    unit("d", "time", 86400.0),
    unit("m/s^2", "acceleration", 1.0),
    unit("mm/s^2", "acceleration", 1e-3),
    unit("gn", "acceleration", STANDARD_GRAVITY),
];
