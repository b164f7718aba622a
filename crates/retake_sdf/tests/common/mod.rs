//! What the tests of this crate share.
#![allow(dead_code, missing_docs)]

use std::path::{Path, PathBuf};

use retake_assets::ResourceRoots;
use retake_description::World;
use retake_diag::Diagnostics;
use retake_sdf::parse_world;

/// Reads a world and returns it with the text of everything that was said.
pub fn read(text: &str) -> (Option<World>, String) {
    let mut diagnostics = Diagnostics::new();
    let world = parse_world(text, "w.sdf", &ResourceRoots::new(), &mut diagnostics);
    (world, diagnostics.to_string())
}

/// Reads the inside of a `<world>` of a version; panics unless nothing is wrong with it.
pub fn clean_world(version: &str, inside: &str) -> World {
    let text = format!("<sdf version=\"{version}\"><world name=\"w\">{inside}</world></sdf>");
    let (world, said) = read(&text);
    assert_eq!(said, "");
    world.expect("nothing is wrong with it")
}

/// Collects every SDF file below a folder, in order.
pub fn collect_files(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let is_sdf = path.extension().is_some_and(|e| e == "sdf" || e == "world");
        match path.is_dir() {
            true => collect_files(&path, paths),
            false if is_sdf => paths.push(path),
            false => {}
        }
    }
}

/// A world with a bit of everything that needs no other file.
pub const RICH: &str = r#"<?xml version="1.0"?>
<!-- two dashes -- in a comment -->
<sdf version="1.9">
  <world name="rich">
    <gravity>0 0 -9.81</gravity>
    <physics name="fast" type="rapier"><max_step_size>0.002</max_step_size>
      <rapier><substeps>1</substeps></rapier></physics>
    <physics name="accurate" default="true" type="ode"><ode><solver><iters>50</iters></solver></ode></physics>
    <scene><ambient>0.1 0.2 0.3 1</ambient><sky><time>10</time></sky><fog><density>1</density></fog></scene>
    <spherical_coordinates><latitude_deg>60</latitude_deg><world_frame_orientation>ENU</world_frame_orientation></spherical_coordinates>
    <wind><linear_velocity>1 0 0</linear_velocity></wind>
    <atmosphere type="adiabatic"/>
    <gui fullscreen="0"><plugin name="3D" filename="x"><a>1</a></plugin></gui>
    <plugin name="sys" filename="lib.so"><rate unit="Hz">5 &amp; 6</rate></plugin>
    <light name="sun" type="directional"><pose>0 0 10 0 0.4 0.5</pose><cast_shadows>true</cast_shadows>
      <direction>-0.5 0.1 -0.9</direction></light>
    <frame name="corner"><pose>1 2 0 0 0 0.3</pose></frame>
    <model name="robot" canonical_link="base">
      <pose relative_to="corner">0 1 0 0 0 1</pose>
      <link name="wheel">
        <pose relative_to="base">0.2 0 0 -1.5707 0 0</pose>
        <collision name="c"><geometry><cylinder><radius>0.1</radius><length>0.05</length></cylinder></geometry>
          <surface><friction><ode><mu>0.7</mu></ode><bullet><friction>0.6</friction></bullet></friction>
          <contact><ode><kp>1e6</kp><max_vel>0.1</max_vel></ode></contact></surface>
          <max_contacts>3</max_contacts></collision>
      </link>
      <link name="base">
        <pose>0 0 0.1 0.1 0.2 0.3</pose>
        <inertial><pose>0 0 0.01 0 0 0</pose><mass>2.5</mass><inertia><ixx>0.1</ixx><iyy>0.2</iyy><izz>0.25</izz></inertia></inertial>
        <visual name="v"><geometry><box><size>1 2 3</size></box></geometry>
          <material><diffuse>1 0 0</diffuse><pbr><metal><roughness>0.3</roughness><normal_map>n.png</normal_map></metal></pbr>
          <script><name>Gazebo/Red</name><uri>file://x</uri></script></material><laser_retro>2</laser_retro></visual>
        <sensor name="imu" type="imu"><update_rate>100</update_rate><imu><noise/></imu><always_on>1</always_on></sensor>
        <velocity_decay><linear>0.1</linear></velocity_decay>
        <battery name="b"><voltage>12</voltage></battery>
      </link>
      <frame name="tip" attached_to="wheel"><pose relative_to="__model__">0 0 1 0 0 0</pose></frame>
      <joint name="axle" type="revolute">
        <parent>base</parent><child>tip</child>
        <axis><xyz expressed_in="__model__">1 0 1</xyz><limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort></limit>
          <dynamics><damping>0.2</damping></dynamics></axis>
      </joint>
      <model name="head"><link name="l"><pose degrees="true">0 0 0 0 0 90</pose></link></model>
      <joint name="neck" type="fixed"><parent>base</parent><child>head::l</child></joint>
      <plugin name="drive" filename="d"><left_joint>axle</left_joint></plugin>
    </model>
    <model name="ground"><static>true</static><link name="l"><collision name="c"><geometry><plane><normal>0 0 2</normal><size>10 20</size></plane></geometry></collision></link></model>
    <joint name="tie" type="ball"><parent>ground</parent><child>robot::base</child></joint>
    <ext:thing xmlns:ext="e">kept</ext:thing>
  </world>
</sdf>
"#;
