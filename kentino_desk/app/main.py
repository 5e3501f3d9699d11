"""The command line: exit code 0 done, 1 failed, 2 usage, 3 input refused, 4 file trouble."""

from __future__ import annotations

import argparse
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from kentino_desk.domain.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    _Commands = argparse._SubParsersAction[argparse.ArgumentParser]  # noqa: SLF001 - its only name

THEMES = ("light", "dark")
PROPOSAL_LANGUAGES = ("cs", "en")
_COMMANDS = frozenset(
    {"evaluate", "quote", "model", "catalog", "validate", "screenshots", "selftest", "window"}
)


def run() -> None:
    """Entry point of ``kentino-desk``."""
    sys.exit(main(sys.argv[1:]))


def main(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    options = _parser().parse_args(_with_default(list(arguments)))
    work: Callable[[argparse.Namespace], int] = options.work
    try:
        return work(options)
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    except BrokenPipeError:
        return 0


def _with_default(arguments: list[str]) -> list[str]:
    """``kentino-desk [FILE]`` opens the window."""
    first = arguments[0] if arguments else ""
    if first in _COMMANDS or first in {"-h", "--help"}:
        return arguments
    return ["window", *arguments]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="kentino-desk", description="Size GPU servers for language models, offline."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_window(commands)
    _add_evaluate(commands)
    _add_quote(commands)
    _add_model(commands)
    _add_catalog(commands)
    _add_validate(commands)
    _add_screenshots(commands)
    selftest = commands.add_parser("selftest", help="what a support call would ask")
    selftest.add_argument("--json", action="store_true", dest="as_json")
    selftest.set_defaults(work=_selftest)
    return parser


def _add_window(commands: _Commands) -> None:
    window = commands.add_parser("window", help="open the window (also without a command)")
    window.add_argument("file", nargs="?", type=Path)
    window.set_defaults(work=_window)


def _add_evaluate(commands: _Commands) -> None:
    evaluate = commands.add_parser("evaluate", help="figures, questions, verdict, candidates")
    evaluate.add_argument("workload", type=Path)
    evaluate.add_argument("--json", action="store_true", dest="as_json")
    evaluate.add_argument("--build", action="append", default=[], metavar="ID")
    evaluate.add_argument("--explain", metavar="FIGURE")
    evaluate.add_argument(
        "--map", nargs="?", const="", metavar="X,Y", help="with --json: the verdict over two inputs"
    )
    evaluate.set_defaults(work=_evaluate)


def _add_quote(commands: _Commands) -> None:
    quote = commands.add_parser("quote", help="the proposal without a window")
    quote.add_argument("workload", type=Path)
    quote.add_argument("--pdf", type=Path, required=True)
    quote.add_argument("--lang", choices=PROPOSAL_LANGUAGES, default="en")
    quote.add_argument("--build", metavar="ID")
    quote.set_defaults(work=_quote)


def _add_model(commands: _Commands) -> None:
    model = commands.add_parser("model", help="import a model from its config.json, or remove one")
    actions = model.add_subparsers(required=True, metavar="ACTION")
    importing = actions.add_parser("import", help="count a model and say what was read")
    importing.add_argument("config", type=Path)
    importing.add_argument("--json", action="store_true", dest="as_json")
    importing.add_argument("--keep", action="store_true", help="add it to your own models")
    importing.set_defaults(work=_model_import)
    removing = actions.add_parser("remove", help="take out one of your own models")
    removing.add_argument("id")
    removing.set_defaults(work=_model_remove)


def _add_catalog(commands: _Commands) -> None:
    catalog = commands.add_parser("catalog", help="build, check or show the catalog")
    catalog.add_argument("action", choices=("build", "check", "show"))
    catalog.add_argument("table", nargs="?")
    catalog.add_argument("id", nargs="?")
    catalog.add_argument("--json", action="store_true", dest="as_json")
    catalog.set_defaults(work=_catalog)


def _add_validate(commands: _Commands) -> None:
    validate = commands.add_parser("validate", help="predict measured rows and say how far off")
    validate.add_argument("kind", metavar="KIND")
    validate.add_argument("data", nargs="+", type=Path, metavar="DATA.csv")
    validate.add_argument("--json", action="store_true", dest="as_json")
    validate.set_defaults(work=_validate)


def _add_screenshots(commands: _Commands) -> None:
    pictures = commands.add_parser("screenshots", help="one PNG a screen, from the sample")
    pictures.add_argument("folder", type=Path)
    pictures.add_argument("--lang", default="en")
    pictures.add_argument("--theme", choices=THEMES, default="light")
    pictures.add_argument("--scale", type=float, default=1.0)
    pictures.add_argument("--size", default="1440x900", metavar="WIDTHxHEIGHT")
    pictures.set_defaults(work=_screenshots)


def _window(options: argparse.Namespace) -> int:
    from kentino_desk.ui.start import start_window  # noqa: PLC0415 - Qt only where it is needed

    return start_window(options.file)


def _evaluate(options: argparse.Namespace) -> int:
    from kentino_desk.app.evaluate_command import Asked, evaluate_main  # noqa: PLC0415 - the same

    asked = Asked(builds=tuple(options.build), figure=options.explain, axes=options.map)
    return evaluate_main(options.workload, asked, as_json=options.as_json)


def _quote(options: argparse.Namespace) -> int:
    from kentino_desk.app.quote_command import quote_main  # noqa: PLC0415 - the same

    return quote_main(options.workload, options.pdf, options.lang, options.build)


def _model_remove(options: argparse.Namespace) -> int:
    from kentino_desk.app.model_command import model_remove  # noqa: PLC0415 - the same

    return model_remove(options.id)


def _model_import(options: argparse.Namespace) -> int:
    from kentino_desk.app.model_command import model_import  # noqa: PLC0415 - the same

    return model_import(options.config, as_json=options.as_json, keep=options.keep)


def _catalog(options: argparse.Namespace) -> int:
    from kentino_desk.app.catalog_command import catalog_main  # noqa: PLC0415 - the same

    return catalog_main(options.action, options.table, options.id, as_json=options.as_json)


def _validate(options: argparse.Namespace) -> int:
    from kentino_desk.app.validate_command import validate_main  # noqa: PLC0415 - the same

    return validate_main(options.kind, tuple(options.data), as_json=options.as_json)


def _screenshots(options: argparse.Namespace) -> int:
    from kentino_desk.app.screenshots_command import screenshots_main  # noqa: PLC0415 - the same

    return screenshots_main(options)


def _selftest(options: argparse.Namespace) -> int:
    from kentino_desk.app.selftest_command import selftest_main  # noqa: PLC0415 - the same

    return selftest_main(as_json=options.as_json)


if __name__ == "__main__":
    run()
