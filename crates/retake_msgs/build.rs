//! Compiles the protobuf schemas without needing `protoc` on the machine.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

use protox::prost_reflect::prost::Message;

fn main() -> Result<(), Box<dyn Error>> {
    let root = Path::new("proto");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut schemas = vec![root.join("foxglove/scene.proto")];
    for entry in fs::read_dir(root.join("retake/msgs"))? {
        schemas.push(entry?.path());
    }
    schemas.sort();
    let descriptors = protox::compile(&schemas, [root])?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out.join("descriptors.bin"), descriptors.encode_to_vec())?;
    let mut config = prost_build::Config::new();
    // Messages are passed on by value, and hardly any carries the largest of its parts.
    config
        .boxed(".retake.msgs.UserCmdReply.physics")
        .boxed(".retake.msgs.UserCmd.command.snap_entity")
        .boxed(".retake.msgs.UserCmd.command.start_motion")
        .boxed(".retake.msgs.RobotCommand.command.goal")
        .boxed(".retake.msgs.Request.request.command")
        .boxed(".retake.msgs.HostMessage.message.conflict")
        .boxed(".retake.msgs.HostMessage.message.text_command")
        .boxed(".retake.msgs.Request.request.teach")
        .boxed(".retake.msgs.HostMessage.message.teach_live")
        .boxed(".retake.msgs.Reply.teach")
        .boxed(".retake.msgs.Reply.past")
        .boxed(".retake.msgs.Reply.descriptor")
        .boxed(".retake.msgs.Reply.called")
        .boxed(".retake.msgs.HostMessage.message.topic_message")
        .boxed(".retake.msgs.Reply.library")
        .boxed(".retake.msgs.Reply.physics");
    config.enable_type_names().compile_fds(descriptors)?;
    Ok(())
}
