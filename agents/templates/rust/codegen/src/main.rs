//! Makes src/wire/ from the .proto files; `./generate` runs it.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> Result<(), Box<dyn Error>> {
    let folders: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let [proto, target] = &folders[..] else {
        return Err("expected two folders: the one with the .proto files, the one to write".into());
    };
    fs::create_dir_all(target)?;
    let mut names = tonic_prost_build::Config::new();
    names.enable_type_names(); // what a google.protobuf.Any calls a message
    tonic_prost_build::configure()
        .build_server(false)
        .out_dir(target)
        .include_file("mod.rs")
        .compile_fds_with_config(protox::compile(sources(&proto.join("arena"))?, [proto])?, names)?;
    Ok(())
}

/// All .proto files under a folder, in order.
fn sources(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(sources(&path)?);
        } else if path.extension().is_some_and(|name| name == "proto") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
