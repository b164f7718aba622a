//! What clients do, chosen by chance.

use fastrand::Rng;
use retake_msgs::{
    AddBookmark, EntityRef, FieldChange, FieldValue, InsertEntity, MoveEntity, ResumeTimeline,
    SetComponent, Time, Timeline, TimelineEdit, TimelineInstant, UndoRedo, UserCmd, UserCmdStats,
    Vector3, WorldControl, field_value, timeline_edit, user_cmd,
};

/// Something that a client asks for.
pub(crate) enum Deed {
    Command(Box<UserCmd>),
    UndoRedo(UndoRedo),
    Control(WorldControl),
    Timeline(TimelineEdit),
    /// What only pages do: something with their plots, a recording or a look back.
    Own,
}

/// What a client knows of the world.
#[derive(Default)]
pub(crate) struct Known {
    pub(crate) history: UserCmdStats,
    pub(crate) timeline: Timeline,
}

const THINGS: [&str; 6] = ["cone_1", "cone_2", "cone_3", "cone_4", "cone_5", "vehicle"];
/// Models that one client may have put into the world: the world must not grow without end.
const OWN_MODELS: u8 = 3;

/// Chooses what to do next.
pub(crate) fn choose(who: &str, known: &Known, rng: &mut Rng) -> Deed {
    let made = match rng.u8(..100) {
        0..34 => Some(command(moved(rng))),
        34..40 => Some(command(inserted(who, rng))),
        40..46 => Some(command(deleted(who, rng))),
        46..52 => Some(command(rubbed(rng))),
        52..64 => undo_redo(&known.history, true, false, rng),
        64..72 => undo_redo(&known.history, false, false, rng),
        72..75 => undo_redo(&known.history, true, true, rng),
        75..77 => Some(Deed::Control(WorldControl { pause: Some(true), ..Default::default() })),
        77..83 => Some(Deed::Control(WorldControl { pause: Some(false), ..Default::default() })),
        83..86 => Some(Deed::Timeline(bookmark(who, rng))),
        86 => resumed(&known.timeline, rng),
        _ => None,
    };
    made.unwrap_or(Deed::Own)
}

fn command(what: user_cmd::Command) -> Deed {
    let id = uuid::Uuid::now_v7().to_string();
    Deed::Command(Box::new(UserCmd { id, command: Some(what), ..UserCmd::default() }))
}

fn thing(rng: &mut Rng) -> Option<EntityRef> {
    Some(EntityRef::named(THINGS[rng.usize(..THINGS.len())]))
}

fn moved(rng: &mut Rng) -> user_cmd::Command {
    let (x, y) = (rng.f64() * 6.0 - 3.0, rng.f64() * 6.0 - 3.0);
    user_cmd::Command::MoveEntity(MoveEntity {
        entity: thing(rng),
        position: Some(Vector3 { x, y, z: 0.3 }),
        ..MoveEntity::default()
    })
}

fn own(who: &str, rng: &mut Rng) -> String {
    format!("{}_{}", who.replace(' ', "_"), rng.u8(..OWN_MODELS))
}

fn inserted(who: &str, rng: &mut Rng) -> user_cmd::Command {
    let (name, z) = (own(who, rng), 1.0 + rng.f64());
    user_cmd::Command::InsertEntity(InsertEntity {
        sdf: format!(
            "<model name='{name}'><pose>{z} 0 {z} 0 0 0</pose><link name='l'>\
             <collision name='c'><geometry><box><size>0.2 0.2 0.2</size></box></geometry></collision>\
             <visual name='v'><geometry><box><size>0.2 0.2 0.2</size></box></geometry></visual>\
             </link></model>"
        ),
        ..InsertEntity::default()
    })
}

fn deleted(who: &str, rng: &mut Rng) -> user_cmd::Command {
    let entity = vec![EntityRef::named(own(who, rng))];
    user_cmd::Command::DeleteEntities(retake_msgs::DeleteEntities { entity })
}

fn rubbed(rng: &mut Rng) -> user_cmd::Command {
    let number = 0.2 + rng.f64();
    let value = Some(FieldValue { value: Some(field_value::Value::Number(number)) });
    user_cmd::Command::SetComponent(SetComponent {
        entity: Some(EntityRef::named("ground::link::collision")),
        component: "surface".to_owned(),
        change: vec![FieldChange { field: "friction.mu".to_owned(), value }],
    })
}

fn undo_redo(history: &UserCmdStats, undo: bool, jump: bool, rng: &mut Rng) -> Option<Deed> {
    let list = if undo { &history.undo } else { &history.redo };
    let entry = match jump {
        true => rng.choice(list)?,
        false => list.last()?,
    };
    let request_id = uuid::Uuid::now_v7().to_string();
    let id = entry.id.clone();
    Some(Deed::UndoRedo(UndoRedo { id, undo, request_id, jump, ..UndoRedo::default() }))
}

fn bookmark(who: &str, rng: &mut Rng) -> TimelineEdit {
    let name = format!("{} {}", who, rng.u8(..3));
    let edit = match rng.bool() {
        true => timeline_edit::Edit::AddBookmark(AddBookmark { name, instant: None }),
        false => timeline_edit::Edit::DeleteBookmark(name),
    };
    TimelineEdit { edit: Some(edit), ..TimelineEdit::default() }
}

/// An instant of a branch, by chance.
pub(crate) fn instant(timeline: &Timeline, rng: &mut Rng) -> Option<TimelineInstant> {
    let branch = rng.choice(&timeline.branch)?;
    let segment = rng.choice(&branch.segment)?;
    let secs = |time: &Option<Time>| time.as_ref().map_or(0, |time| time.sec);
    let (from, to) = (secs(&segment.from), secs(&segment.to));
    let sim_time = Some(Time { sec: rng.i64(from..=to.max(from)), nsec: 0 });
    Some(TimelineInstant { branch: branch.name.clone(), sim_time, ..Default::default() })
}

fn resumed(timeline: &Timeline, rng: &mut Rng) -> Option<Deed> {
    let instant = Some(instant(timeline, rng)?);
    let resume = ResumeTimeline { instant, ..ResumeTimeline::default() };
    Some(command(user_cmd::Command::ResumeTimeline(resume)))
}
