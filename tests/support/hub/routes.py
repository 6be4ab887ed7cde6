"""What the server answers: one function a route."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable
from urllib.parse import unquote

from .store import DATE, TOKENS, Commit, File, Repo, Store, is_large
from .wire import Request, Response, answer, part, refusal

Route = Callable[..., Response]
_ROUTES: list[tuple[str, re.Pattern[str], Route]] = []
_REPO = r"(?P<name>[^/]+/[^/]+)"


def respond(store: Store, request: Request) -> Response:
    """The answer to a request."""
    if request.token is not None and request.token not in TOKENS and not request.path.startswith("/_lfs/"):
        return refusal(401, "Invalid credentials in Authorization header")
    for method, pattern, route in _ROUTES:
        if re.fullmatch(method, request.method) and (match := pattern.fullmatch(request.path)):
            return route(store, request, **{name: unquote(text) for name, text in match.groupdict().items() if text})
    return refusal(404, f"no route for {request.method} {request.path}")


def _route(method: str, pattern: str) -> Callable[[Route], Route]:
    def register(function: Route) -> Route:
        _ROUTES.append((method, re.compile(pattern), function))
        return function

    return register


def _repo_route(method: str, pattern: str) -> Callable[[Route], Route]:
    """A route within a repository that the account may see, and write to where it writes."""

    def register(function: Route) -> Route:
        def guarded(store: Store, request: Request, name: str, **names: str) -> Response:
            role = TOKENS.get(request.token or "")
            repo = store.repos.get(name)
            if repo is None or (repo.private and role is None):
                return refusal(404 if role else 401, "Repository not found", "RepoNotFound")
            if function.__name__.startswith("write_") and role != "write":
                return refusal(403 if role else 401, "You need a token with write access")
            return function(store, request, repo, name, **names)

        return _route(method, pattern)(guarded)

    return register


@_route("GET", "/api/whoami-v2")
def who(store: Store, request: Request) -> Response:
    if request.token is None:
        return refusal(401, "Invalid username or password.")
    org = {"type": "org", "name": "org", "fullname": "Org", "roleInOrg": "admin"}
    token = {"displayName": "t", "role": TOKENS[request.token], "createdAt": DATE}
    return answer(
        {"type": "user", "name": "tester", "orgs": [org], "auth": {"type": "access_token", "accessToken": token}}
    )


@_route("POST", "/api/validate-yaml")
def validate_yaml(store: Store, request: Request) -> Response:
    return answer({"errors": [], "warnings": []})


@_route("POST", "/api/repos/create")
def create(store: Store, request: Request) -> Response:
    asked = request.json()
    name = f"{asked.get('organization') or 'tester'}/{asked['name']}"
    if TOKENS.get(request.token or "") != "write" or not name.startswith(("org/", "tester/")):
        return refusal(403, f"You don't have the rights to create a dataset under the namespace {name.split('/')[0]}")
    page = f"{request.base}/datasets/{name}"
    if name in store.repos:
        return answer({"error": "You already created this dataset repo", "url": page}, 409)
    store.create(name, private=bool(asked.get("private") or asked.get("visibility") == "private"))
    return answer({"url": page, "name": name, "id": "0" * 24})


@_repo_route("GET|HEAD", rf"/api/datasets/{_REPO}(?:/revision/(?P<revision>[^/]+))?")
def info(store: Store, request: Request, repo: Repo, name: str, revision: str = "main") -> Response:
    commit = store.resolve(repo, revision)
    if commit is None:
        return _no_revision(revision)
    siblings = [{"rfilename": path} for path in sorted(commit.tree)]
    return answer(
        {
            "id": name,
            "sha": commit.sha,
            "private": repo.private,
            "gated": False,
            "disabled": False,
            "tags": [],
            "siblings": siblings,
            "lastModified": DATE,
            "createdAt": DATE,
        }
    )


@_repo_route("GET", rf"/api/datasets/{_REPO}/refs")
def refs(store: Store, request: Request, repo: Repo, name: str) -> Response:
    def listed(kind: str, named: dict[str, str]) -> list[dict[str, str]]:
        return [{"name": each, "ref": f"refs/{kind}/{each}", "targetCommit": sha} for each, sha in named.items()]

    return answer({"branches": listed("heads", repo.branches), "converts": [], "tags": listed("tags", repo.tags)})


@_repo_route("GET", rf"/api/datasets/{_REPO}/tree/(?P<revision>[^/]+)(?:/(?P<folder>.*))?")
def tree(store: Store, request: Request, repo: Repo, name: str, revision: str, folder: str = "") -> Response:
    commit = store.resolve(repo, revision)
    if commit is None:
        return _no_revision(revision)
    prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
    found: dict[str, dict[str, object]] = {}
    for path, file in sorted(commit.tree.items()):
        if path.startswith(prefix):
            parts = path[len(prefix) :].split("/")
            depth = len(parts) if request.asked("recursive") else 1
            for end in range(1, min(depth, len(parts) - 1) + 1):
                above = prefix + "/".join(parts[:end])
                found.setdefault(above, _folder(above))
            if depth >= len(parts):
                found[path] = file.entry(path)
    if prefix and not found:
        return refusal(404, f"{folder} does not exist", "EntryNotFound")
    return answer(list(found.values()))


@_repo_route("POST", rf"/api/datasets/{_REPO}/paths-info/(?P<revision>[^/]+)")
def paths_info(store: Store, request: Request, repo: Repo, name: str, revision: str) -> Response:
    commit = store.resolve(repo, revision)
    if commit is None:
        return _no_revision(revision)
    found = []
    for path in request.fields("paths"):
        if path in commit.tree:
            found.append(commit.tree[path].entry(path))
        elif any(each.startswith(f"{path.rstrip('/')}/") for each in commit.tree):
            found.append(_folder(path))
    return answer(found)


@_repo_route("GET|HEAD", rf"/datasets/{_REPO}/resolve/(?P<revision>[^/]+)/(?P<path>.+)")
def resolve(store: Store, request: Request, repo: Repo, name: str, revision: str, path: str) -> Response:
    commit = store.resolve(repo, revision)
    if commit is None:
        return _no_revision(revision)
    file = commit.tree.get(path)
    if file is None:
        return refusal(404, "Entry not found", "EntryNotFound")
    headers = {"X-Repo-Commit": commit.sha, "ETag": f'"{file.git_oid}"'}
    if file.large:  # the Hub redirects these to another host; one host answers them at once, with the same headers
        headers |= {"X-Linked-ETag": f'"{file.sha256}"', "X-Linked-Size": str(file.size), "ETag": f'"{file.sha256}"'}
    return part(store.blobs[file.sha256], request.headers.get("range"), headers)


@_repo_route("POST", rf"/api/datasets/{_REPO}/preupload/(?P<revision>[^/]+)")
def write_preupload(store: Store, request: Request, repo: Repo, name: str, revision: str) -> Response:
    commit = store.resolve(repo, revision)
    there: dict[str, File] = dict(commit.tree) if commit else {}

    def mode(path: str) -> dict[str, object]:
        file = there.get(path)
        known = {} if file is None else {"oid": file.sha256 if file.large else file.git_oid}
        return {"path": path, "uploadMode": "lfs" if is_large(path) else "regular", "shouldIgnore": False, **known}

    return answer({"files": [mode(each["path"]) for each in request.json()["files"]]})


@_repo_route("POST", rf"/datasets/{_REPO}\.git/info/lfs/objects/batch")
def write_batch(store: Store, request: Request, repo: Repo, name: str) -> Response:
    def each(wanted: dict[str, object]) -> dict[str, object]:
        place = f"{request.base}/_lfs/{wanted['oid']}"
        send = {"upload": {"href": place}, "verify": {"href": f"{place}/verify"}}
        return {**wanted, **({} if wanted["oid"] in store.blobs else {"actions": send})}

    found = [each({"oid": one["oid"], "size": one["size"]}) for one in request.json()["objects"]]
    return answer({"transfer": "basic", "objects": found})


@_route("PUT", "/_lfs/(?P<oid>[0-9a-f]{64})")
def put_blob(store: Store, request: Request, oid: str) -> Response:
    if store.put(request.body) != oid:
        del store.blobs[store.put(request.body)]
        return refusal(400, "sha256 does not match")
    return answer({})


@_route("POST", "/_lfs/(?P<oid>[0-9a-f]{64})/verify")
def verify_blob(store: Store, request: Request, oid: str) -> Response:
    there = len(store.blobs.get(oid, b"")) == request.json()["size"]
    return answer({}, 200 if there else 404)


@_repo_route("POST", rf"/api/datasets/{_REPO}/commit/(?P<branch>[^/]+)")
def write_commit(store: Store, request: Request, repo: Repo, name: str, branch: str) -> Response:
    head = store.resolve(repo, branch)
    if head is None:
        return _no_revision(branch)
    files, title = dict(head.tree), ""
    for line in request.body.splitlines():
        operation = json.loads(line)
        value = operation["value"]
        if operation["key"] == "header":
            title = value["summary"]
        elif operation["key"] == "file":
            files[value["path"]] = store.file(base64.b64decode(value["content"]))
        elif operation["key"] == "lfsFile":
            if value["oid"] not in store.blobs:
                return refusal(400, f"LFS pointer pointed to a file that does not exist: {value['path']}")
            files[value["path"]] = store.large_file(value["oid"])
        elif operation["key"] == "deletedFile":
            files.pop(value["path"], None)
        else:
            return refusal(400, f"unknown operation {operation['key']}")
    commit = store.commit(repo, branch, files, title)
    page = f"{request.base}/datasets/{name}/commit/{commit.sha}"
    return answer({"success": True, "commitOid": commit.sha, "commitUrl": page, "hookOutput": ""})


@_repo_route("POST", rf"/api/datasets/{_REPO}/tag/(?P<revision>[^/]+)")
def write_tag(store: Store, request: Request, repo: Repo, name: str, revision: str) -> Response:
    commit = store.resolve(repo, revision)
    tag = request.json()["tag"]
    if commit is None:
        return _no_revision(revision)
    if tag in repo.tags:
        return refusal(409, f"Tag {tag} already exists")
    repo.tags[tag] = commit.sha
    return answer({}, 201)


def _folder(path: str) -> dict[str, object]:
    return {"type": "directory", "oid": "0" * 40, "size": 0, "path": path}


def _no_revision(revision: str) -> Response:
    return refusal(404, f"Invalid rev id: {revision}", "RevisionNotFound")


def tree_of(store: Store, name: str, revision: str) -> Commit:
    """For tests: a commit of a repository."""
    commit = store.resolve(store.repos[name], revision)
    assert commit is not None
    return commit
