//! `retake sdf convert` writes SDF that loads to the same robot.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod support;

use expect_test::expect;
use support::Sandbox;

const ROBOT: &str = r#"<robot name="cart">
  <link name="base">
    <inertial><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><geometry><box size="1 1 0.2"/></geometry></collision>
  </link>
  <link name="mast">
    <inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
  </link>
  <joint name="bolt" type="fixed"><parent link="base"/><child link="mast"/><origin xyz="0 0 1"/></joint>
</robot>"#;

/// What the program understands of a file, without its name.
fn resolved(sandbox: &Sandbox, file: &str) -> serde_json::Value {
    let text = sandbox.retake(&["sdf", "print", "--resolved", file]).success();
    let mut value: serde_json::Value = serde_json::from_str(&text).unwrap();
    value["file"] = serde_json::Value::Null;
    value
}

#[test]
fn the_written_file_holds_the_same_robot() {
    let sandbox = Sandbox::new();
    let urdf = sandbox.write("cart.urdf", ROBOT);
    let sdf = sandbox.folder.path().join("cart.sdf").display().to_string();
    let printed = sandbox.retake(&["sdf", "convert", &urdf, "--output", &sdf]).success();
    assert_eq!(printed, "");
    assert_eq!(resolved(&sandbox, &sdf), resolved(&sandbox, &urdf));
    let text = std::fs::read_to_string(&sdf).unwrap();
    assert_eq!(sandbox.retake(&["sdf", "convert", &urdf]).success(), text);
    assert!(text.contains("<model name=\"cart\"") && !text.contains("bolt"), "{text}");
    let kept = sandbox.retake(&["sdf", "convert", &urdf, "--keep-fixed-joints"]).success();
    assert!(kept.contains("<joint name=\"bolt\" type=\"fixed\">"), "{kept}");
    let ran = sandbox.retake(&["run", &urdf, "--headless", "--iterations", "10", "--hash"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn what_cannot_be_converted_is_said() {
    let sandbox = Sandbox::new();
    let world = sandbox.write("w.sdf", "<sdf version=\"1.9\"><world name=\"w\"/></sdf>");
    let macros = sandbox.write("arm.urdf.xacro", "<robot name=\"a\"><xacro:arm/></robot>");
    let loss = sandbox.write("loss.urdf", &ROBOT.replace("mass value=\"2\"", "mass value=\"-2\""));
    let complaints = [&world, &macros, &loss].map(|file| {
        let complaint = sandbox.retake(&["sdf", "convert", file]).complaint();
        complaint.replace(&sandbox.folder.path().display().to_string(), "$DIR")
    });
    expect![[r#"
        exit 1
        retake: $DIR/w.sdf holds no robot. Worlds are printed by: retake sdf print $DIR/w.sdf
        exit 1
        $DIR/arm.urdf.xacro:1:17: error[urdf-xacro]: $DIR/arm.urdf.xacro has xacro macros, which are not expanded here. Expand it first: xacro arm.urdf.xacro > arm.urdf
        retake: Nothing could be loaded from $DIR/arm.urdf.xacro
        exit 3
        $DIR/loss.urdf:3:5: error[sdf-out-of-range]: sdf/model[cart]/link[base]/inertial/mass is "-1.0". It must be 1e-9 to 1e12 kg
    "#]].assert_eq(&complaints.concat());
}

#[test]
fn a_file_of_which_there_are_only_notes_passes_its_check() {
    let sandbox = Sandbox::new();
    let urdf = sandbox.write("cart.urdf", ROBOT);
    let noted = sandbox.retake(&["sdf", "check", &urdf]);
    assert!(noted.stdout.contains("note[sdf-lone-model]"), "{}", noted.stdout);
    assert_eq!(noted.code, 0, "{}", noted.stdout);
    let odd = "<sdf version='1.9'><model name='m'><link name='l'><oddity/></link></model></sdf>";
    let wrong = sandbox.write("odd.sdf", odd);
    let wrong = sandbox.retake(&["sdf", "check", &urdf, &wrong]);
    assert!(wrong.stdout.contains("warning["), "{}", wrong.stdout);
    assert_eq!(wrong.code, 1);
}
