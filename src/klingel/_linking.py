"""Kernels inside kernels: lowered once, optimised and made machine code only as part of the entry points.

Numba optimises every function together with all it calls and emits machine code for it, also if only other
functions call it. In a tree of calls the innermost code goes through the optimiser once per level above it, and
most of the machine code is never run. Here a kernel called by kernels stays intermediate code (`InnerLibrary`);
an entry point (`EntryLibrary`) links in everything below it, and is optimised once.
"""

from collections.abc import Iterator
from typing import Any

from llvmlite.binding import Linkage, parse_assembly
from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core import codegen, compiler, typed_passes
from numba.core.compiler_machinery import register_pass

from klingel._quick_compiling import KernelFlags, quick

# used below when a kernel is compiled: one that is missing is to be known when this module is imported
PARTS = (
    codegen.JITCodeLibrary._ensure_finalized,
    codegen.JITCodeLibrary._get_compiled_object,
    codegen.JITCodeLibrary._get_module_for_linking,
    codegen.JITCodeLibrary._optimize_final_module,
    codegen.JITCodeLibrary._optimize_functions,
    codegen.JITCodeLibrary._raise_if_finalized,
    codegen.JITCodeLibrary.enable_object_caching,
    codegen.JITCodeLibrary.finalize,
    codegen.JITCPUCodegen._function_pass_manager,
    compiler.CompilerBase.compile_extra,
    compiler.DefaultPassBuilder.define_nopython_pipeline,
    compiler._LowerResult,
    _dynfunc.make_function,
)


class _KernelLibrary(codegen.JITCodeLibrary):
    def _optimize_functions(self, module: Any) -> None:
        """As Numba does, with one pass manager for all functions, and none for those that are only declared."""
        module.data_layout = self._codegen._data_layout
        manager, builder = self._codegen._function_pass_manager()
        for function in module.functions:
            if not function.is_declaration:
                manager.run(function, builder)


class InnerLibrary(_KernelLibrary):
    """Code that is never called on its own: not optimised, not handed to the execution engine."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        self._shared_module = self._final_module
        self._finalized = True


class EntryLibrary(_KernelLibrary):
    """Code Python or a function pointer calls, with all inner code below it."""

    def finalize(self) -> None:
        self._linking_libraries = list(dict.fromkeys(_all_below(self)))
        super().finalize()

    def _optimize_final_module(self) -> None:
        # what nobody else can call is merged into its only caller, and loses arguments it does not read: a call
        # with the arrays of the event loop pushed hundreds of words
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = "internal"
        super()._optimize_final_module()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """Machine code and names. Nothing is linked with an entry point, so its intermediate code is not kept."""
        self._ensure_finalized()
        return self.name, "object", (self._get_compiled_object(), _names(self._get_module_for_linking()))


def _names(module: Any) -> bytes:
    """A module that defines what `module` does, with nothing in it."""
    hidden = (Linkage.internal, Linkage.private)
    functions = (f.name for f in module.functions if not f.is_declaration and f.linkage not in hidden)
    values = (v.name for v in module.global_variables if not v.is_declaration and v.linkage not in hidden)
    text = [f'define void @"{name}"() {{ ret void }}' for name in functions]
    text += [f'@"{name}" = global i8 0' for name in values]
    return parse_assembly("\n".join(text)).as_bitcode()


def _all_below(library: Any) -> Iterator[Any]:
    for below in library._linking_libraries:
        yield below
        if isinstance(below, InnerLibrary):
            yield from _all_below(below)


@register_pass(mutates_CFG=True, analysis_only=False)
class InnerLowering(typed_passes.NativeLowering):
    _name = "inner_lowering"

    def run_pass(self, state: Any) -> bool:
        context = state.targetctx
        state.library = InnerLibrary(context.codegen(), state.func_id.func_qualname)
        super().run_pass(state)
        lowered = state.cr
        # callers find the code under this object; it has no address
        handle = _dynfunc.make_function(
            lowered.fndesc.lookup_module(), lowered.fndesc.qualname, "", 0, lowered.env, (state.library,)
        )
        context.insert_user_function(handle, lowered.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = compiler._LowerResult(lowered.fndesc, lowered.call_helper, cfunc=handle, env=lowered.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class EntryLowering(typed_passes.NativeLowering):
    _name = "entry_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = EntryLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        return super().run_pass(state)


class _KernelCompiler(compiler.CompilerBase):
    lowering: type

    def __init__(self, typingctx, targetctx, library, args, return_type, flags, locals):
        flags = KernelFlags(flags)
        super().__init__(typingctx, targetctx, library, args, return_type, flags, locals)

    def define_pipelines(self) -> list[Any]:
        passes = compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        usual = typed_passes.NativeLowering
        passes.passes = [(self.lowering if step is usual else step, text) for step, text in passes.passes]
        passes.finalize()
        return [passes]


class InnerCompiler(_KernelCompiler):
    lowering = InnerLowering

    def define_pipelines(self) -> list[Any]:
        self.state.flags.no_compile = True
        return super().define_pipelines()


class EntryCompiler(_KernelCompiler):
    lowering = EntryLowering

    def compile_extra(self, func: Any) -> Any:
        with quick():
            return super().compile_extra(func)
