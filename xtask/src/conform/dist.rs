//! `cargo xtask dist`: the folder of a release.
//!
//! maturin builds the program once, as a wheel. The program in the archive and the list of its dependencies (SBOM) are taken
//! from the wheel, so all of them belong together. On Linux the program is static, see .cargo/static.toml.

use std::{
    env,
    fmt::Write as _,
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use anyhow::{Context as _, bail};
use flate2::{Compression, write::GzEncoder};
use sha2::{Digest as _, Sha256};

use super::{running::Program, toolchain::Toolchain};
use crate::workspace::output;

const BUILDING: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_secs(120);

/// The shells that `lms completion` knows, and the names under which they look for a script.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "lms.bash"),
    ("elvish", "lms.elv"),
    ("fish", "lms.fish"),
    ("powershell", "_lms.ps1"),
    ("zsh", "_lms"),
];

/// Files of the workspace that the archive also contains.
const TEXTS: [&str; 4] = [
    "CHANGELOG.md",
    "LICENSE-APACHE",
    "LICENSE-MIT",
    "lms-cli/README.md",
];

pub(crate) fn run() -> anyhow::Result<()> {
    let toolchain = Toolchain::open(&crate::workspace::root())?;
    let _lock = toolchain.lock()?;
    println!("building; this takes several minutes the first time");
    let folder = make(&toolchain, "release", "../dist")?;
    for file in files(&folder)? {
        let bytes = fs::metadata(&file)?.len();
        println!("{:>9} kB  {}", bytes / 1000, file.display());
    }
    Ok(())
}

/// Writes a folder below target/conform with a program of this profile of cargo, and returns its path.
pub(super) fn make(toolchain: &Toolchain, profile: &str, to: &str) -> anyhow::Result<PathBuf> {
    let folder = toolchain.empty(to)?;
    let host = output(Command::new("rustc").args(["--print", "host-tuple"]))?;
    let name = format!("lms-{}-{}", env!("CARGO_PKG_VERSION"), host.trim());
    let wheel = wheel(toolchain, &folder, profile, host.trim())?;

    let unpacked = toolchain.empty("dist-wheel")?;
    Program::new("python3", toolchain.log("unpack-wheel"))
        .args(["-m", "zipfile", "-e"])
        .args([&wheel, &unpacked])
        .run(SHORT)?;
    let parts = format!("lms_cli-{}", env!("CARGO_PKG_VERSION"));
    let sbom = unpacked.join(format!("{parts}.dist-info/sboms/lms-cli.cyclonedx.json"));
    fs::copy(sbom, folder.join(format!("{name}.cdx.json")))
        .context("the wheel has no list of dependencies")?;

    let staged = toolchain.empty("dist-archive")?.join(&name);
    let program = unpacked.join(format!("{parts}.data/scripts/lms"));
    stage(toolchain, &program, &staged)?;
    archive(&staged, &name, &folder.join(format!("{name}.tar.gz")))?;
    checksums(&folder, &folder.join(format!("{name}.sha256")))?;
    Ok(folder)
}

/// Builds the wheel, and returns its path.
fn wheel(
    toolchain: &Toolchain,
    folder: &Path,
    profile: &str,
    host: &str,
) -> anyhow::Result<PathBuf> {
    let maturin = toolchain.python("maturin")?.join("maturin");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = [auditable(toolchain)?]
        .into_iter()
        .chain(env::split_paths(&path));
    Program::new(maturin, toolchain.log("maturin"))
        .env("PATH", env::join_paths(path)?)
        .args(["build", "--locked", "--profile", profile, "--target", host])
        .args(["--config", ".cargo/static.toml"])
        .args(["--manifest-path", "lms-cli/Cargo.toml", "--out"])
        .arg(folder)
        .folder(&toolchain.root)
        .run(BUILDING)?;
    match &files(folder)?[..] {
        [wheel] => Ok(wheel.clone()),
        found => bail!("maturin wrote {found:?} instead of one wheel"),
    }
}

/// Returns a folder with a `cargo` that builds programs that contain the list of their dependencies: maturin runs no other
/// command than `cargo`.
fn auditable(toolchain: &Toolchain) -> anyhow::Result<PathBuf> {
    let tool = toolchain.root.join(".ci/tool");
    // Before that folder is in the path, because this may run cargo.
    output(Command::new(&tool).args(["auditable", "--version"]))?;
    let folder = toolchain.empty("dist-cargo")?;
    let cargo = env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let script = format!(
        "#!/bin/sh\nCARGO='{cargo}' exec '{}' auditable \"$@\"\n",
        tool.display()
    );
    let program = folder.join("cargo");
    fs::write(&program, script)?;
    executable(&program)?;
    Ok(folder)
}

/// Collects the files of the archive.
fn stage(toolchain: &Toolchain, program: &Path, staged: &Path) -> anyhow::Result<()> {
    let completions = staged.join("completions");
    fs::create_dir_all(&completions)?;
    let lms = staged.join("lms");
    fs::copy(program, &lms).context("the wheel has no program")?;
    executable(&lms)?;
    for text in TEXTS {
        let text = toolchain.root.join(text);
        fs::copy(&text, staged.join(text.file_name().unwrap_or_default()))
            .with_context(|| format!("cannot copy {}", text.display()))?;
    }
    for (shell, name) in COMPLETIONS {
        let script = output(Command::new(&lms).args(["completion", shell]))?;
        fs::write(completions.join(name), script)?;
    }
    output(
        Command::new(&lms)
            .args(["man", "--to"])
            .arg(staged.join("man")),
    )?;
    Ok(())
}

/// A wheel does not keep permissions.
fn executable(program: &Path) -> anyhow::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(program, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// Writes a folder as an archive that has the same bytes whenever the files have the same content.
fn archive(from: &Path, name: &str, to: &Path) -> anyhow::Result<()> {
    let file = File::create(to).with_context(|| format!("cannot write {}", to.display()))?;
    let mut archive = tar::Builder::new(GzEncoder::new(file, Compression::best()));
    archive.mode(tar::HeaderMode::Deterministic);
    let mut folders = vec![(from.to_owned(), PathBuf::from(name))];
    while let Some((folder, name)) = folders.pop() {
        for path in files(&folder)? {
            let name = name.join(path.file_name().unwrap_or_default());
            if path.is_dir() {
                folders.push((path, name));
            } else {
                archive.append_path_with_name(&path, name)?;
            }
        }
    }
    archive.into_inner()?.finish()?;
    Ok(())
}

/// Writes the input of `sha256sum --check`.
fn checksums(folder: &Path, to: &Path) -> anyhow::Result<()> {
    let mut list = String::new();
    for file in files(folder)? {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for byte in Sha256::digest(fs::read(&file)?) {
            // Writing to a `String` cannot fail.
            let _ = write!(list, "{byte:02x}");
        }
        let _ = writeln!(list, "  {name}");
    }
    fs::write(to, list)?;
    Ok(())
}

/// The sorted content of a folder.
fn files(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let entries =
        fs::read_dir(folder).with_context(|| format!("no folder {}", folder.display()))?;
    let mut paths = entries
        .map(|entry| Ok(entry?.path()))
        .collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
