//! Worlds of every shape, for the round-trip law.
#![allow(missing_docs)]

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use retake_description::*;
use retake_math::{Inertial, Pose, Quat, Vec3};

fn name() -> impl Strategy<Value = String> + Clone {
    "[a-z][a-zA-Z0-9_ .&<>\"'äß-]{0,8}[a-z0-9]"
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![-10.0..10.0f64, Just(0.0), any::<f64>().prop_filter("finite", |v| v.is_finite())]
}

fn positive() -> impl Strategy<Value = f64> {
    prop_oneof![0.001..100.0f64, Just(1e-6), Just(1e6)]
}

/// Numbers that a bound lets in, with its ends.
fn within(bound: bounds::Bound) -> impl Strategy<Value = f64> {
    let (least, most) = (bound.least, bound.most);
    prop_oneof![least.max(-10.0)..most.min(10.0), Just(least), Just(most)]
}

fn vec3_within(bound: bounds::Bound) -> impl Strategy<Value = Vec3> {
    (within(bound), within(bound), within(bound)).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn vec3() -> impl Strategy<Value = Vec3> {
    (number(), number(), number()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn extents() -> impl Strategy<Value = Vec3> {
    (positive(), positive(), positive()).prop_map(|(x, y, z)| Vec3::new(x, y, z))
}

fn unit() -> impl Strategy<Value = Vec3> {
    (-1.0..1.0f64, -1.0..1.0f64, 0.1..1.0f64).prop_map(|(x, y, z)| Vec3::new(x, y, z).normalize())
}

fn rotation() -> impl Strategy<Value = Quat> {
    let turned = (-1.0..1.0f64, -1.0..1.0f64, -1.0..1.0f64, 0.1..1.0f64)
        .prop_map(|(x, y, z, w)| Quat::from_xyzw(x, y, z, w).normalize());
    prop_oneof![Just(Quat::IDENTITY), turned]
}

fn pose() -> BoxedStrategy<Pose> {
    let position = prop::array::uniform3(prop_oneof![-10.0..10.0f64, -1e9..1e9f64, Just(0.0)]);
    Strategy::boxed(
        (position.prop_map(Vec3::from_array), rotation())
            .prop_map(|(position, rotation)| Pose::new(position, rotation)),
    )
}

fn color() -> impl Strategy<Value = Color> {
    prop::array::uniform4(0.0..1.0f32).prop_map(Color)
}

/// Elements that SDF does not know, with a prefix so that nothing is said about them.
fn extras() -> BoxedStrategy<Vec<Element>> {
    let leaf = (name(), "[a-z0-9<&]{0,6}").prop_map(|(value, text)| Element {
        name: "x:leaf".to_owned(),
        attributes: vec![("a".to_owned(), value)],
        text,
        children: Vec::new(),
    });
    let parent = vec(leaf.clone(), 0..3).prop_map(|children| Element {
        name: "x:parent".to_owned(),
        attributes: vec![("b".to_owned(), String::new())],
        text: String::new(),
        children,
    });
    let own = option::of(name())
        .prop_map(|value| value.map(|value| Element::own(vec![("x:own".to_owned(), value)])));
    Strategy::boxed(
        (own, vec(prop_oneof![leaf, parent], 0..3))
            .prop_map(|(own, others)| own.into_iter().chain(others).collect()),
    )
}

fn plugins() -> BoxedStrategy<Vec<Plugin>> {
    let one = (name(), name(), extras());
    Strategy::boxed(vec(
        one.prop_map(|(name, filename, body)| Plugin { name, filename, body }),
        0..2,
    ))
}

fn geometry() -> BoxedStrategy<Geometry> {
    let points = vec(vec(prop::array::uniform2(-5.0..5.0f64), 0..4), 1..3);
    Strategy::boxed(prop_oneof![
        Just(Geometry::Empty),
        extents().prop_map(|size| Geometry::Box { size }),
        positive().prop_map(|radius| Geometry::Sphere { radius }),
        (positive(), positive()).prop_map(|(radius, length)| Geometry::Cylinder { radius, length }),
        (positive(), positive()).prop_map(|(radius, length)| Geometry::Capsule { radius, length }),
        (positive(), positive()).prop_map(|(radius, length)| Geometry::Cone { radius, length }),
        extents().prop_map(|radii| Geometry::Ellipsoid { radii }),
        (unit(), within(bounds::COORDINATE_M), within(bounds::COORDINATE_M))
            .prop_map(|(normal, a, b)| Geometry::Plane { normal, size: [a, b] }),
        (points, positive())
            .prop_map(|(outlines, height)| Geometry::Polyline(Polyline { outlines, height })),
    ])
}

fn surface() -> BoxedStrategy<Surface> {
    let (mu, mu2) = (within(bounds::FRICTION), within(bounds::FRICTION));
    let friction = (mu, mu2, vec3(), number(), number(), number()).prop_map(
        |(mu, mu2, fdir1, slip1, slip2, torsional)| Friction {
            mu,
            mu2,
            fdir1,
            slip1,
            slip2,
            torsional,
        },
    );
    let rest = (within(bounds::RESTITUTION), number(), number(), number(), any::<u32>());
    Strategy::boxed((friction, rest).prop_map(
        |(friction, (restitution, threshold, kp, kd, collide_bitmask))| Surface {
            friction,
            bounce: Bounce { restitution, threshold },
            contact: Contact { kp, kd, collide_bitmask },
        },
    ))
}

fn material() -> BoxedStrategy<Material> {
    let pbr = (0.0..1.0f32, 0.0..1.0f32, option::of(name())).prop_map(
        |(metalness, roughness, albedo_map)| Pbr {
            metalness,
            roughness,
            albedo_map,
            albedo_path: None,
        },
    );
    Strategy::boxed((color(), color(), color(), color(), option::of(pbr)).prop_map(
        |(ambient, diffuse, specular, emissive, pbr)| Material {
            ambient,
            diffuse,
            specular,
            emissive,
            pbr,
            // A script is an error without its address, which a material has no place for.
            script: None,
        },
    ))
}

fn light() -> BoxedStrategy<Light> {
    let kind =
        prop_oneof![Just(LightKind::Point), Just(LightKind::Directional), Just(LightKind::Spot)];
    let fade = prop::array::uniform4(number());
    let cone = prop::array::uniform3(number());
    let source = (kind, color(), color(), number(), fade, vec3(), cone, any::<bool>()).prop_map(
        |(kind, diffuse, specular, intensity, f, direction, c, cast_shadows)| LightSource {
            kind,
            diffuse,
            specular,
            intensity,
            attenuation: Attenuation { range: f[0], constant: f[1], linear: f[2], quadratic: f[3] },
            direction,
            spot: SpotCone { inner_angle: c[0], outer_angle: c[1], falloff: c[2] },
            cast_shadows,
        },
    );
    Strategy::boxed((name(), pose(), source, extras()).prop_map(
        |(name, parent_from_light, source, extras)| Light {
            name,
            parent_from_light,
            source,
            extras,
        },
    ))
}

fn collision() -> BoxedStrategy<Collision> {
    Strategy::boxed((name(), pose(), geometry(), surface(), extras()).prop_map(
        |(name, link_from_collision, geometry, surface, extras)| Collision {
            name,
            link_from_collision,
            geometry,
            surface,
            extras,
        },
    ))
}

fn visual() -> BoxedStrategy<Visual> {
    let looks = (option::of(material()), number(), any::<bool>());
    Strategy::boxed((name(), pose(), geometry(), looks, extras()).prop_map(
        |(name, link_from_visual, geometry, (material, transparency, cast_shadows), extras)| {
            Visual {
                name,
                link_from_visual,
                geometry,
                material,
                transparency,
                cast_shadows,
                extras,
            }
        },
    ))
}

fn sensor() -> BoxedStrategy<Sensor> {
    Strategy::boxed((name(), name(), pose(), number(), plugins(), extras()).prop_map(
        |(name, kind, link_from_sensor, update_rate_hz, plugins, extras)| Sensor {
            name,
            kind,
            link_from_sensor,
            update_rate_hz,
            plugins,
            extras,
        },
    ))
}

fn inertial() -> BoxedStrategy<Inertial> {
    // Moments near one another fit a real body.
    // Small enough that the matrix stays one that a body can have.
    let products = prop::array::uniform3(-0.03..0.03f64).prop_map(Vec3::from_array);
    Strategy::boxed(
        (within(bounds::MASS_KG), pose(), prop::array::uniform3(1.0..1.7f64), products).prop_map(
            |(mass_kg, link_from_com, moments, products)| Inertial {
                mass_kg,
                link_from_com,
                moments: Vec3::from_array(moments),
                products,
            },
        ),
    )
}

fn link() -> BoxedStrategy<Link> {
    let decay = || within(bounds::DECAY);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), decay(), decay());
    let hung =
        (vec(collision(), 0..2), vec(visual(), 0..2), vec(light(), 0..2), vec(sensor(), 0..2));
    Strategy::boxed((pose(), inertial(), flags, hung, plugins(), extras()).prop_map(
        |(model_from_link, inertial, flags, hung, plugins, extras)| Link {
            name: String::new(),
            model_from_link,
            inertial,
            gravity: flags.0,
            kinematic: flags.1,
            self_collide: flags.2,
            velocity_decay: VelocityDecay { linear: flags.3, angular: flags.4 },
            collisions: hung.0,
            visuals: hung.1,
            lights: hung.2,
            sensors: hung.3,
            plugins,
            extras,
        },
    ))
}

fn axis() -> BoxedStrategy<JointAxis> {
    let bound = prop_oneof![-5.0..0.0f64, Just(f64::NEG_INFINITY)];
    let top = prop_oneof![0.0..5.0f64, Just(f64::INFINITY)];
    let limits = (bound, top.clone(), top.clone(), top);
    let position = || within(bounds::JOINT_POSITION);
    let mimic = (name(), within(bounds::RATIO), position(), position()).prop_map(
        |(joint, multiplier, offset, reference)| Mimic { joint, multiplier, offset, reference },
    );
    let gain = || within(bounds::GAIN);
    let dynamics = (gain(), gain(), position(), gain());
    Strategy::boxed((unit(), limits, dynamics, option::of(mimic)).prop_map(
        |(xyz, limits, d, mimic)| JointAxis {
            xyz,
            limits: JointLimits {
                lower: limits.0,
                upper: limits.1,
                effort: limits.2,
                velocity: limits.3,
            },
            dynamics: JointDynamics {
                damping: d.0,
                friction: d.1,
                spring_reference: d.2,
                spring_stiffness: d.3,
            },
            mimic,
        },
    ))
}

/// A joint whose ends are filled in by the model.
fn joint() -> BoxedStrategy<Joint> {
    use JointKind::*;
    let kinds =
        vec![Fixed, Revolute, Continuous, Prismatic, Ball, Universal, Revolute2, Screw, Gearbox];
    let kind = prop::sample::select(kinds);
    Strategy::boxed(
        (kind, pose(), vec(axis(), 2), -10.0..10.0f64, within(bounds::RATIO), extras()).prop_map(
            |(kind, child_from_joint, mut axes, thread_pitch, gearbox_ratio, extras)| {
                axes.truncate(kind.axis_count());
                let (name, parent, child) = Default::default();
                Joint {
                    name,
                    kind,
                    parent,
                    child,
                    child_from_joint,
                    axes,
                    thread_pitch: if thread_pitch == 0.0 { 1.0 } else { thread_pitch },
                    gearbox_ratio,
                    extras,
                }
            },
        ),
    )
}

/// A model with two or three links, the first the parent of every joint.
fn model(nested: bool) -> BoxedStrategy<Model> {
    let inner = if nested { vec(model(false), 0..2).boxed() } else { Just(Vec::new()).boxed() };
    let flags = any::<[bool; 5]>();
    let parts = (vec(link(), 2..4), vec(joint(), 0..3), vec((pose(), extras()), 0..3), inner);
    (pose(), flags, parts, plugins(), extras())
        .prop_map(|(parent_from_model, flags, (links, joints, frames, models), plugins, extras)| {
            assembled(Model {
                parent_from_model,
                is_static: flags[0],
                self_collide: flags[1],
                allow_auto_disable: flags[2],
                enable_wind: flags[3],
                canonical_link: flags[4].then(|| "link 1".to_owned()),
                links,
                joints,
                models,
                frames: frames.into_iter().map(unattached).collect(),
                plugins,
                extras,
                ..Model::default()
            })
        })
        .boxed()
}

fn unattached((attached_from_frame, extras): (Pose, Vec<Element>)) -> Frame {
    Frame { attached_from_frame, extras, ..Frame::default() }
}

/// Gives the parts names of their own, and the joints and frames something to hold on to.
fn assembled(mut model: Model) -> Model {
    for (index, link) in model.links.iter_mut().enumerate() {
        link.name = format!("link {index}");
        link.lights.truncate(1);
    }
    for (index, inner) in model.models.iter_mut().enumerate() {
        inner.name = format!("model {index}");
    }
    let nested = !model.models.is_empty();
    for (index, joint) in model.joints.iter_mut().enumerate() {
        joint.name = format!("joint {index}");
        let ends = [("link 0", "link 1"), ("world", "link 0"), ("link 1", "model 0::link 1")];
        let (parent, child) = ends[if nested { index % 3 } else { index % 2 }];
        (joint.parent, joint.child) = (parent.to_owned(), child.to_owned());
    }
    for (index, frame) in model.frames.iter_mut().enumerate() {
        frame.name = format!("frame {index}");
        let nested = if nested { "model 0::link 0" } else { "link 0" };
        frame.attached_to = ["", "link 1", nested][index % 3].to_owned();
    }
    model
}

fn profiles() -> BoxedStrategy<Vec<PhysicsProfile>> {
    let pace = prop_oneof![Just(0.0), within(bounds::REAL_TIME_FACTOR)];
    let one = (name(), within(bounds::STEP_SECS), pace, extras()).prop_map(
        |(engine, max_step_size_secs, real_time_factor, extras)| PhysicsProfile {
            name: String::new(),
            is_default: false,
            engine,
            max_step_size_secs,
            real_time_factor,
            extras,
        },
    );
    Strategy::boxed((vec(one, 1..4), any::<prop::sample::Index>()).prop_map(|(mut all, chosen)| {
        for (index, profile) in all.iter_mut().enumerate() {
            profile.name = format!("profile {index}");
        }
        let chosen = chosen.index(all.len());
        all[chosen].is_default = true;
        all
    }))
}

fn scene() -> BoxedStrategy<Scene> {
    Strategy::boxed((color(), color(), any::<[bool; 3]>()).prop_map(
        |(ambient, background, flags)| Scene {
            ambient,
            background,
            shadows: flags[0],
            grid: flags[1],
            sky: flags[2],
        },
    ))
}

fn globe() -> BoxedStrategy<SphericalCoordinates> {
    Strategy::boxed((name(), prop::array::uniform4(number())).prop_map(|(surface_model, v)| {
        SphericalCoordinates {
            surface_model,
            latitude_deg: v[0],
            longitude_deg: v[1],
            elevation: v[2],
            heading_deg: v[3],
        }
    }))
}

/// A world with all its parts.
pub fn world() -> impl Strategy<Value = World> {
    let gravity = vec3_within(bounds::ACCELERATION);
    let wind = vec3_within(bounds::SPEED);
    let settings = (name(), gravity, vec3(), wind, option::of(globe()), profiles(), scene());
    let parts = (vec(light(), 0..2), vec(model(true), 0..3), vec((pose(), extras()), 0..2));
    let joints = option::of(joint());
    (settings, parts, joints, plugins(), extras()).prop_map(
        |(settings, (mut lights, mut models, frames), joint, plugins, extras)| {
            for (index, model) in models.iter_mut().enumerate() {
                model.name = format!("model {index}");
            }
            lights.truncate(1);
            let mut frames: Vec<Frame> = frames.into_iter().map(unattached).collect();
            for (index, frame) in frames.iter_mut().enumerate() {
                frame.name = format!("frame {index}");
            }
            let joint = joint.filter(|_| !models.is_empty()).map(|joint| Joint {
                name: "tie".to_owned(),
                parent: "world".to_owned(),
                child: "model 0::link 1".to_owned(),
                ..joint
            });
            World {
                name: settings.0,
                gravity: settings.1,
                magnetic_field: settings.2,
                wind: settings.3,
                spherical_coordinates: settings.4,
                profiles: settings.5,
                scene: settings.6,
                lights,
                models,
                joints: joint.into_iter().collect(),
                frames,
                plugins,
                extras,
            }
        },
    )
}
