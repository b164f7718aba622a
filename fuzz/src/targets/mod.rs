//! The targets.

mod doors;
mod logs;
mod meshes;
mod messages;
mod motions;
mod ros;
mod scripts;
mod sockets;
mod texts;
mod worlds;

/// One reader.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// How many inputs the tests try.
    pub tests: u64,
    /// What is damaged; nothing where an input is only a number from which all else is made up.
    pub samples: fn() -> Vec<Vec<u8>>,
    /// Reads an input, and says what does not hold.
    pub read: fn(&[u8]) -> Verdict,
}

/// What became of an input, or what does not hold.
pub type Verdict = Result<Seen, String>;

/// What became of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    /// It was read.
    Taken,
    /// It was refused, with a reason.
    Refused,
}

/// Makes the list, and a macro that hands the names to another, which makes a test of each.
///
/// The sign of variables is handed over: inside of a macro that makes a macro it cannot be written.
macro_rules! targets {
    (
        ($dollar:tt)
        $(fn $name:ident($tests:literal, $module:ident::$samples:ident) => $reader:ident::$read:ident;)*
    ) => {
        /// Every target.
        pub const TARGETS: &[Target] = &[$(Target {
            name: stringify!($name),
            tests: $tests,
            samples: $module::$samples,
            read: $reader::$read,
        }),*];

        /// Calls a macro with the names of all targets.
        #[macro_export]
        macro_rules! for_each_target {
            ($dollar callback:ident) => {
                $dollar callback! { $($name)* }
            };
        }
    };
}

// Each line is a test with so many inputs, made of these samples, and the reader that takes them.
targets! {
    ($)
    fn sdf_world(1500, worlds::samples) => worlds::read_world;
    fn sdf_fragment(1500, worlds::part_samples) => worlds::read_fragment;
    fn sdf_part(1500, worlds::part_samples) => worlds::read_part;
    fn sdf_profiles(2000, worlds::profile_samples) => worlds::read_profiles;
    fn sdf_elements(2000, worlds::part_samples) => worlds::read_elements;
    fn urdf(1500, worlds::urdf_samples) => worlds::read_urdf;
    fn mesh_stl(800, meshes::stl_samples) => meshes::read_stl;
    fn mesh_obj(1000, meshes::obj_samples) => meshes::read_obj;
    fn mesh_dae(600, meshes::dae_samples) => meshes::read_dae;
    fn mesh_gltf(800, meshes::gltf_samples) => meshes::read_gltf;
    fn mesh_glb(1000, meshes::glb_samples) => meshes::read_glb;
    fn heightmap(800, meshes::image_samples) => meshes::read_heightmap;
    fn motion_native(1500, motions::native_samples) => motions::read_native;
    fn motion_goal_json(1500, motions::goal_samples) => motions::read_goal_json;
    fn motion_play_motion(1500, motions::yaml_samples) => motions::read_play_motion;
    fn motion_webots(1500, motions::webots_samples) => motions::read_webots;
    fn motion_csv(1500, motions::csv_samples) => motions::read_csv;
    fn motion_compound(1500, motions::compound_samples) => motions::read_compound;
    fn motion_pose(1500, motions::pose_samples) => motions::read_pose;
    fn scenario(1500, texts::scenario_samples) => texts::read_scenario;
    fn layout(3000, texts::layout_samples) => texts::read_layout;
    fn expression(4000, texts::expression_samples) => texts::read_expression;
    fn signal(4000, texts::signal_samples) => texts::read_signal;
    fn table_csv(2000, texts::table_samples) => texts::read_table;
    fn table_parquet(1000, texts::parquet_samples) => texts::read_parquet;
    fn log(400, logs::samples) => logs::read;
    fn log_recovery(300, logs::samples) => logs::recover;
    fn script(600, scripts::samples) => scripts::read;
    fn ros_definition(2000, ros::definition_samples) => ros::read_definition;
    fn ros_json(2000, ros::json_samples) => ros::read_json;
    fn ros_cdr(3000, ros::cdr_samples) => ros::read_cdr;
    fn services(60, messages::none) => messages::ask_services;
    fn state(1500, messages::state_samples) => messages::apply_state;
    fn page(6, messages::none) => sockets::speak_as_page;
    fn rosbridge(4, messages::none) => sockets::speak_as_ros;
    fn foxglove(4, messages::none) => sockets::speak_as_foxglove;
    fn ros_1(3000, ros::ros1_samples) => ros::read_ros1;
    fn ros_1_xmlrpc(3000, ros::xmlrpc_samples) => ros::read_xmlrpc;
    fn ros_1_http(2000, ros::http_samples) => ros::read_http;
    fn ros_1_header(2000, ros::header_samples) => ros::read_header;
    fn tokens(1000, doors::token_samples) => doors::read_tokens;
    fn certificates(600, doors::certificate_samples) => doors::read_certificates;
    fn open_bus(1000, doors::bus_samples) => doors::read_open_bus;
    fn remote_bus(1000, doors::remote_samples) => doors::read_remote_bus;
}

/// Makes a text of an input: readers of texts are given nothing else.
fn text(input: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(input)
}

/// Fails unless something holds.
fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(otherwise()) }
}

/// Fails unless what was refused was refused with a reason, at a place.
fn placed(found: &retake_diag::Diagnostics, taken: bool) -> Result<(), String> {
    ensure(taken || found.has_errors(), || "refused without a word".to_owned())?;
    let errors = found.items().iter().filter(|item| item.severity == retake_diag::Severity::Error);
    // An empty file has no place in it; the error names the file.
    let errors = errors.filter(|item| item.code != "sdf-empty");
    let lost = errors.filter(|item| item.place.is_none()).map(ToString::to_string).next();
    lost.map_or(Ok(()), |error| Err(format!("an error without a place: {error}")))
}

fn seen(taken: bool) -> Seen {
    if taken { Seen::Taken } else { Seen::Refused }
}
