"""A fingerprint of what code does: of its syntax tree, without the names and texts that nothing depends on.

A definition is written down without docstrings, comments, annotations, displays and messages. Wherever it
refers to another definition of the same sources, that definition's fingerprint stands in place of the name,
and parameters and local variables are numbered. So nothing differs where a definition is renamed, moved to
another module or put in another order, and everything differs where a statement does. Names that are part of
the behaviour stay: fields, keywords, and the methods of protocols.

Definitions refer to each other in circles. Their fingerprints are therefore refined in rounds, as the colours
of a graph are (Weisfeiler and Leman 1968), until no round tells more of them apart.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from typing import NamedTuple

_MESSAGES = {"BadRecord", "BadRules", "Explained", "IllegalAction", "Note", "clash"}
"""Calls whose texts are for people; a text has several words, clauses and names of options have one."""
_MARK = "sentence"
"""The call whose arguments are nothing but text for people."""
_REFUSALS = "refuse_no_"
"""Names of functions that report a programmer's wrong argument: statements that no game reaches."""
_DISPLAYS = {"__repr__", "_repr_html_", "_repr_svg_"}
_SKIPPED = {"annotation", "ctx", "kind", "returns", "type_comment", "type_params"}
_WORDS = re.compile(r"\w\S* .*\w", re.DOTALL)

_Key = tuple[str, ...]
"""A module and the name of its definition; for a method also that of its class."""
_Scope = Mapping[str, str]
"""Local names and the numbers written for them."""


class _Reference(NamedTuple):
    """The place of a name: the definitions that it may mean, in no order; the name where there are none."""

    keys: tuple[_Key, ...]
    name: str = ""


_Token = str | _Reference
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


def fingerprint(sources: Mapping[str, str], roots: Collection[str]) -> str:
    """Calculate the fingerprint of all that the roots reach.

    Args:
        sources: The text of each module by its full name (``nousu.engine.cards``).
        roots: Names of definitions, in whichever modules they stand.

    Returns:
        Twelve hexadecimal digits.

    Raises:
        ValueError: No module defines one of the roots.
    """
    tree = _Tree(sources)
    defined: list[_Key] = [(module, name) for module, names in tree.definitions.items() for name in names]
    waiting = [key for key in defined if key[-1] in roots]
    if missing := set(roots) - {key[-1] for key in waiting}:
        raise ValueError(f"no module defines {', '.join(sorted(missing))}")
    reached: set[_Key] = set()
    while waiting:
        key = waiting.pop()
        if key not in reached:
            reached.add(key)
            references = (token for token in tree.tokens(key) if isinstance(token, _Reference))
            waiting += [target for token in references if not token.name for target in token.keys]
    tree.keep_names(reached)
    tokens = {key: list(tree.tokens(key)) for key in reached}
    colours = dict.fromkeys(tokens, "")
    count = 0
    while len(set(colours.values())) > count:
        count = len(set(colours.values()))
        colours = {key: _digest(written, colours) for key, written in tokens.items()}
    return sha256("\n".join(sorted(colours.values())).encode()).hexdigest()[:12]


def _digest(tokens: list[_Token], colours: Mapping[_Key, str]) -> str:
    texts = []
    for token in tokens:
        if isinstance(token, str):
            texts.append(token)
        else:
            reached = sorted(colours[key] for key in token.keys if key in colours)
            texts.append(f"<{' '.join(reached)}>" if reached else f"name {token.name}")
    return sha256("\0".join(texts).encode()).hexdigest()


class _Tree:
    """The modules and the names of their definitions."""

    def __init__(self, sources: Mapping[str, str]) -> None:
        self.modules = {name: ast.parse(text) for name, text in sources.items()}
        self.definitions: dict[str, dict[str, list[ast.stmt]]] = {}
        self.methods: dict[_Key, list[ast.stmt]] = defaultdict(list)
        self.imports: dict[str, dict[str, str]] = {name: {} for name in sources}
        self.keywords: set[str] = set()
        """Names by which arguments are given."""
        self.kept: set[str] = set()
        """Attributes whose names stay: the methods of protocols, and fields."""
        for module, parsed in self.modules.items():
            self.definitions[module] = _definitions(parsed)
            for node in ast.walk(parsed):
                self._note(module, node)
        self.by_name: dict[str, list[_Key]] = defaultdict(list)
        for key in self.methods:
            self.by_name[key[-1]].append(key)

    def _note(self, module: str, node: ast.AST) -> None:
        match node:
            case ast.Import(names):
                self.imports[module] |= {name.asname or name.name: name.name for name in names}
            case ast.ImportFrom(origin, names):
                self.imports[module] |= {name.asname or name.name: f"{origin}.{name.name}" for name in names}
            case ast.ClassDef(own_name, bases):
                kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
                methods = [part for part in node.body if isinstance(part, kinds)]
                for method in methods:
                    self.methods[module, own_name, method.name].append(method)
                if any(isinstance(base, ast.Name) and base.id == "Protocol" for base in bases):
                    self.kept |= {method.name for method in methods}

    def keep_names(self, keys: Collection[_Key]) -> None:
        """Let the names of fields and of arguments stay that occur in these definitions."""
        for node in (node for key in keys for part in self.statements(key) for node in ast.walk(part)):
            match node:
                case ast.keyword(str(name)):
                    self.keywords.add(name)
                case ast.Attribute(_, name, ast.Store()):
                    self.kept.add(name)
                case ast.ClassDef():
                    self.kept.update(name for statement in node.body for name in _assigned_names(statement))

    def statements(self, key: _Key) -> list[ast.stmt]:
        """The statements that make a definition."""
        return self.methods[key] if len(key) > 2 else self.definitions[key[0]].get(key[1], [])

    def stays(self, attribute: str) -> bool:
        """Whether the name of an attribute or a method is written down as it is."""
        return attribute in self.kept or attribute.startswith("__")

    def tokens(self, key: _Key) -> Iterator[_Token]:
        """Yield the tokens of a definition."""
        module, *_, name = key
        if len(key) > 2 and self.stays(name):
            yield name
        for statement in self.statements(key):
            # Of several names that a statement binds, which this one is.
            yield " ".join("this" if other == name else "other" for other in _assigned_names(statement))
            yield from _DigestWriter(self, module).write(statement, {})
        if name and "" in self.definitions[module]:
            yield _Reference(((module, ""),))

    def meaning(self, module: str, name: str) -> _Key | str:
        """The definition that a name of a module means; else the full name of an import or of a builtin."""
        if name in self.definitions[module]:
            return module, name
        return self.at(self.imports[module][name]) if name in self.imports[module] else name

    def at(self, path: str) -> _Key | str:
        """The definition with that full name; the text itself for modules and names outside these sources."""
        module, _, name = path.rpartition(".")
        return self.meaning(module, name) if path not in self.modules and module in self.modules else path


def _definitions(parsed: ast.Module) -> dict[str, list[ast.stmt]]:
    """The statements that define each name of a module; under the empty name all other statements."""
    definitions: dict[str, list[ast.stmt]] = defaultdict(list)
    for statement in parsed.body:
        match statement:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                definitions[statement.name].append(statement)
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                for name in _assigned_names(statement):
                    definitions[name].append(statement)
            case ast.If(ast.Name("TYPE_CHECKING")) | ast.Expr(ast.Constant()):
                pass
            case _ if not isinstance(statement, ast.Import | ast.ImportFrom):
                definitions[""].append(statement)
    return dict(definitions)


def _assigned_names(statement: ast.stmt) -> list[str]:
    """The names that an assignment binds."""
    match statement:
        case ast.Assign(targets):
            pass
        case ast.AnnAssign(target) | ast.AugAssign(target):
            targets = [target]
        case _:
            return []
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def _bound_names(node: ast.AST) -> Iterator[str]:
    """The local names that a function's or lambda's own scope binds, in order."""
    for child in ast.iter_child_nodes(node):
        match child:
            case ast.Name(name, ast.Store() | ast.Del()) | ast.arg(name):
                yield name
            case ast.MatchAs(name=str(name)) | ast.MatchStar(str(name)) | ast.MatchMapping(rest=str(name)):
                yield name
            case ast.ExceptHandler(name=str(name)):
                yield name
            case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
                yield name
                continue
            case ast.Lambda():
                continue
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                inside = (part.target for part in ast.walk(child) if isinstance(part, ast.NamedExpr))
                yield from (target.id for target in inside)
                continue
        yield from _bound_names(child)


def _has_blank(parts: list[ast.expr]) -> bool:
    """Whether the fixed parts of a formatted text have a blank: it is a sentence then."""
    return any(isinstance(part, ast.Constant) and " " in str(part.value) for part in parts)


def _inner_scope(names: Iterator[str], scope: _Scope) -> dict[str, str]:
    """The scope within another one."""
    depth = max((int(number.partition(".")[0]) for number in scope.values()), default=0) + 1
    return {**scope, **{name: f"{depth}.{at}" for at, name in enumerate(dict.fromkeys(names))}}


class _DigestWriter:
    """Writes down the statements of a module."""

    def __init__(self, tree: _Tree, module: str) -> None:
        self._tree = tree
        self._module = module

    def write(self, node: ast.AST, scope: _Scope, quoting: bool = False) -> Iterator[_Token]:
        """The tokens of a syntax tree; `quoting` where its texts are for people."""
        match node:
            case ast.Expr(ast.Constant()) | ast.Pass() | ast.Import() | ast.ImportFrom() | ast.keyword("doc"):
                return
            case ast.Expr(ast.Call(ast.Name(name))) if name.startswith(_REFUSALS):
                return
            case ast.AnnAssign(value=None) if scope:
                return
            case ast.Name():
                yield self._name(node, scope)
            case ast.Attribute():
                yield from self._member(node, scope, quoting)
            case ast.Constant(value):
                yield "text" if quoting and isinstance(value, str) and _WORDS.search(value) else repr(value)
            case ast.JoinedStr(parts) if quoting and _has_blank(parts):
                yield "text"
            case ast.Call():
                yield from self._call(node, scope, quoting)
            case ast.Raise() | ast.Assert():
                yield from self._plainly(node, scope, quoting=True)
            case ast.ClassDef():
                yield from self._class(node, scope)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                yield from self._function(node, scope)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                targets = (part for clause in node.generators for part in ast.walk(clause.target))
                inner = _inner_scope((part.id for part in targets if isinstance(part, ast.Name)), scope)
                yield from self._plainly(node, inner, quoting)
            case _:
                yield from self._plainly(node, scope, quoting)

    def _name(self, node: ast.Name, scope: _Scope) -> _Token:
        """A name: the number of a local, else its meaning in the module."""
        if node.id in scope:
            return f"local {scope[node.id]}"
        return "target" if isinstance(node.ctx, ast.Store) else self._reference(node.id)

    def _member(self, node: ast.Attribute, scope: _Scope, quoting: bool) -> Iterator[_Token]:
        """An attribute of a value, or the definition in another module that it means."""
        meant = self._static(node, scope)
        if meant is not None:
            yield _Reference((meant,)) if isinstance(meant, tuple) else f"name {meant}"
            return
        yield "."
        yield from self.write(node.value, scope, quoting)
        yield self._attribute(node.attr)

    def _call(self, node: ast.Call, scope: _Scope, quoting: bool) -> Iterator[_Token]:
        """A call; a mark of a message stands for its text, a cast for its value."""
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name == _MARK:
            yield "text"
        elif name == "cast":
            yield from self.write(node.args[1], scope, quoting)
        else:
            yield from self._plainly(node, scope, quoting or name in _MESSAGES)

    def _plainly(self, node: ast.AST, scope: _Scope, quoting: bool) -> Iterator[_Token]:
        """A node's kind and its fields, one after the other."""
        yield f"({'Assign' if isinstance(node, ast.AnnAssign) else type(node).__name__}"
        for field, value in ast.iter_fields(node):
            if value is None or value == [] or field in _SKIPPED or field == "simple":
                continue
            yield "targets" if field == "target" and isinstance(node, ast.AnnAssign) else field
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, ast.AST):
                    yield from self.write(item, scope, quoting)
                elif isinstance(node, ast.MatchAs | ast.MatchStar | ast.MatchMapping | ast.ExceptHandler):
                    yield scope.get(item, item)
                elif field == "kwd_attrs":
                    yield self._attribute(item)
                else:
                    yield str(item)
        yield ")"

    def _reference(self, name: str) -> _Token:
        meant = self._tree.meaning(self._module, name)
        return _Reference((meant,)) if isinstance(meant, tuple) else f"name {meant}"

    def _attribute(self, name: str) -> _Token:
        keys = () if self._tree.stays(name) else self._tree.by_name.get(name)
        return _Reference(tuple(keys), name) if keys else f"name {name}"

    def _static(self, node: ast.expr, scope: _Scope) -> _Key | str | None:
        """The meaning of an attribute of an imported module; None for attributes of values."""
        match node:
            case ast.Name(name) if name not in scope and name in self._tree.imports[self._module]:
                return self._tree.meaning(self._module, name)
            case ast.Attribute(value, name):
                module = self._static(value, scope)
                return self._tree.at(f"{module}.{name}") if isinstance(module, str) else None
        return None

    def _class(self, node: ast.ClassDef, scope: _Scope) -> Iterator[_Token]:
        yield "class"
        for part in (*node.decorator_list, *node.bases, *node.keywords):
            yield from self.write(part, scope)
        methods = []
        for statement in node.body:
            names = _assigned_names(statement)
            if isinstance(statement, ast.Expr):
                continue
            if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
                if statement.name not in _DISPLAYS:
                    methods.append((self._module, node.name, statement.name))
            elif not names or not _DISPLAYS.issuperset(names):
                yield " ".join(names)
                yield from self.write(statement, scope)
        if methods:
            yield _Reference(tuple(dict.fromkeys(methods)))
        yield "end"

    def _function(self, node: _Function, scope: _Scope) -> Iterator[_Token]:
        given = node.args
        yield type(node).__name__
        outside = [*given.defaults, *(default for default in given.kw_defaults if default is not None)]
        if not isinstance(node, ast.Lambda):
            outside = [*node.decorator_list, *outside]
        for part in outside:
            yield from self.write(part, scope)
        kinds = {
            "/": given.posonlyargs,
            "": given.args,
            "*": [given.vararg] if given.vararg else [],
            "=": given.kwonlyargs,
            "**": [given.kwarg] if given.kwarg else [],
        }
        for kind, parameters in kinds.items():
            for parameter in parameters:
                yield kind + (parameter.arg if parameter.arg in self._tree.keywords else "")
        bound = [parameter.arg for parameters in kinds.values() for parameter in parameters]
        inner = _inner_scope(iter([*bound, *_bound_names(node)]), scope)
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        for statement in body:
            yield from self.write(statement, inner)
        yield "end"
