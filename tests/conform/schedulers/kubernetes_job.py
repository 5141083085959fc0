"""Validates the files of examples/kubernetes, and runs the command of its pods with two sandboxes as tenants."""

import os
import pathlib
import subprocess
import sys

import tenants
import yaml

HOME = pathlib.Path(os.environ["HOME"])
EXAMPLE = pathlib.Path(tenants.EXAMPLE)
FILES = [EXAMPLE / name for name in ["cronjob.yaml", "secret.yaml"]]

validate = pathlib.Path(sys.executable).with_name("kubernetes-validate")
subprocess.run([validate, "--strict", *FILES], check=True)

objects = [object for file in FILES for object in yaml.safe_load_all(file.read_text())]
secrets = {object["metadata"]["name"]: object["stringData"] for object in objects if object["kind"] == "Secret"}
job = next(object for object in objects if object["kind"] == "CronJob")["spec"]["jobTemplate"]["spec"]
pod = job["template"]["spec"]
container = pod["containers"][0]

# What the pod needs is there.
for volume in pod["volumes"]:
    if "secret" in volume:
        assert volume["secret"]["secretName"] in secrets, volume
mounts = {mount["name"]: mount for mount in container["volumeMounts"]}
assert sorted(mounts) == sorted(volume["name"] for volume in pod["volumes"])
environment = {}
for variable in container["env"]:
    reference = variable.get("valueFrom", {}).get("secretKeyRef")
    value = secrets[reference["name"]][reference["key"]] if reference else variable["value"]
    environment[variable["name"]] = value
assert environment["PGPASSWORD"]
configuration = secrets["lms-profiles"][mounts["profiles"]["subPath"]]
assert mounts["profiles"]["mountPath"] == environment["XDG_CONFIG_HOME"] + "/lms/config.toml"
for name in secrets["lms-secrets"]:
    assert f'secret_file = "{mounts["secrets"]["mountPath"]}/{name}"' in configuration, name

# The files of the pod, with the addresses and secrets of the sandboxes, and the modes that Kubernetes gives them.
config = HOME / "config"
(config / "lms").mkdir(parents=True)
for name, secret in secrets["lms-secrets"].items():
    file = HOME / f"secret-{name}"
    file.write_text(os.environ["LMS_CLIENT_SECRET"])
    file.chmod(0o400)
    configuration = configuration.replace(f"{mounts['secrets']['mountPath']}/{name}", str(file))
    configuration = configuration.replace(f"https://{name}.example", os.environ[f"LMS_URL_{name.upper()}"])
for known in ["1001", "1002"]:
    configuration = configuration.replace(known, os.environ["LMS_CLIENT_ID"])
(config / "lms/config.toml").write_text(configuration)

arguments = [tenants.WAREHOUSE if argument.startswith("postgres://") else argument for argument in container["args"]]
environment |= {"XDG_CONFIG_HOME": str(config), "HOME": str(HOME), "PATH": os.environ["PATH"]}
pods = [
    subprocess.Popen(["lms", *arguments], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    for _ in range(job["parallelism"])
]
outputs = [pod.communicate(timeout=300)[0] for pod in pods]
print("\n".join(outputs))
assert [pod.returncode for pod in pods] == [0] * len(pods)
tenants.assert_mirrored()
print(f"the files are valid, and {len(pods)} pods mirrored 2 tenants")
