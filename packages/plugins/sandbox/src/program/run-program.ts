import variant from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core'
import { makeGlobals } from './make-globals.ts'
import { createProgramFiles, type ProgramFiles } from './program-files.ts'
import { type Program, type ProgramEnd, programLimits } from './program-messages.ts'
import { makeValueTexts } from './show-value.ts'

/** QuickJS, ready for one program. */
export interface Engine {
  /** Runs the program. The state of the engine is undefined afterwards, so it must not be reused. */
  run(program: Program): ProgramEnd
}

const { memoryBytes, memoryPages, stackBytes, resultCharacters, writtenBytes, errorCharacters } = programLimits

/** `JS_EVAL_FLAG_ASYNC` of QuickJS: a script with top-level await, whose result is a promise of `{ value }`. */
const asyncScript = 1 << 7

/**
 * Starts QuickJS in a separate WebAssembly memory with a size limit.
 *
 * @param wasmModule QuickJS, compiled.
 * @param print Called with the printed output, one call of `console` at a time.
 */
export const startEngine = async (wasmModule: WebAssembly.Module, print: (text: string) => void): Promise<Engine> => {
  const memory = new WebAssembly.Memory({ initial: 256, maximum: memoryPages })
  const quickjs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant as unknown as QuickJSSyncVariant, { wasmModule, wasmMemory: memory }),
  )
  const context = quickjs.newContext()
  context.runtime.setMemoryLimit(memoryBytes)
  context.runtime.setMaxStackSize(stackBytes)
  const files = createProgramFiles()
  const ending = makeEnding(context, files, print)
  return { run: program => runOnce({ context, memory, ending, files }, program) }
}

/** Environment of a running program. */
interface Surroundings {
  readonly context: QuickJSContext
  readonly memory: WebAssembly.Memory
  readonly ending: Ending
  readonly files: ProgramFiles
}

const runOnce = (surroundings: Surroundings, program: Program): ProgramEnd => {
  const { files } = surroundings
  for (const { name, text } of program.files) files.give(name, text)
  const started = performance.now()
  const end = (outcome: Pick<ProgramEnd, 'result' | 'error'>): ProgramEnd => ({
    ...outcome,
    files: files.written(),
    durationMs: Math.round((performance.now() - started) * 10) / 10,
  })
  try {
    return end(evaluate(surroundings, program, started + program.timeLimitMs))
  } catch (error) {
    return end({ error: engineError(error) })
  }
}

/** Returns the error of a failure of the engine itself: the stack of its thread, or its memory. */
const engineError = (error: unknown): string => {
  if (error instanceof RangeError) return 'RangeError: the program is nested too deeply for the stack.'
  return 'The engine failed: the program used too much memory or nested too deeply.'
}

type Outcome = Pick<ProgramEnd, 'result' | 'error'>

const evaluate = ({ context, memory, ending }: Surroundings, program: Program, deadline: number): Outcome => {
  const { runtime } = context
  const isLate = () => performance.now() > deadline
  let interrupted = false
  runtime.setInterruptHandler(() => {
    interrupted = isLate()
    return interrupted
  })
  const failed = (thrown: QuickJSHandle): Outcome => {
    const limit = `Stopped after ${program.timeLimitMs / 1_000} s, the time limit of a program.`
    runtime.setMemoryLimit(-1)
    const spare = performance.now() + 100
    runtime.setInterruptHandler(() => performance.now() > spare)
    const text = ending.showError(thrown)
    if (interrupted) return { error: [limit, ...(text?.split('\n').slice(1) ?? [])].join('\n') }
    if (memory.buffer.byteLength > memoryBytes && (text ?? 'Thrown: null') === 'Thrown: null')
      return { error: outOfMemory }
    return { error: text ?? 'The program threw an error that cannot be displayed.' }
  }

  const script = context.evalCode(program.code, 'program.js', asyncScript)
  if (script.error) return failed(script.error)
  const finish = ending.finish(script.value)
  if (finish.error) return failed(finish.error)
  while (runtime.hasPendingJob()) {
    const done = runtime.executePendingJobs(100)
    if (done.error) return failed(done.error)
    interrupted = isLate()
    if (interrupted) return failed(rejectionOf(context, script.value))
  }
  const state = context.getPromiseState(finish.value)
  if (state.type === 'rejected') return failed(state.error)
  if (state.type === 'pending') return { error: 'The program waits for a promise that never settles.' }
  const result = textOf(context, state.value)
  return result === undefined ? {} : { result }
}

/** Returns the position of an interrupted program: its error, if it has one by now. */
const rejectionOf = (context: QuickJSContext, script: QuickJSHandle): QuickJSHandle => {
  const state = context.getPromiseState(script)
  return state.type === 'rejected' ? state.error : context.undefined
}

const outOfMemory = `Out of memory: a program may use ${memoryBytes / 1024 / 1024} MB.`

/** Returns a text from the sandbox's JSON. */
const textOf = (context: QuickJSContext, handle: QuickJSHandle): string | undefined => {
  const text: unknown = context.typeof(handle) === 'string' ? JSON.parse(context.getString(handle)) : undefined
  return typeof text === 'string' ? text : undefined
}

interface Ending {
  finish(script: QuickJSHandle): ReturnType<QuickJSContext['callFunction']>
  showError(thrown: QuickJSHandle): string | undefined
}

/** Defines `console` and `files` in the sandbox, and returns the function that completes the program. */
const makeEnding = (context: QuickJSContext, files: ProgramFiles, print: (text: string) => void): Ending => {
  const host = context.newObject()
  const offer = (name: string, call: (...args: QuickJSHandle[]) => QuickJSHandle) =>
    context.newFunction(name, call).consume(handle => context.setProp(host, name, handle))
  const nameIn = (handle: QuickJSHandle | undefined) => (handle && textOf(context, handle)) ?? ''
  const contentIn = (handle: QuickJSHandle | undefined) => {
    if (handle === undefined) return ''
    return textOf(context, handle) ?? Uint8Array.from(context.getArrayBuffer(handle).value)
  }
  offer('print', text => {
    print(nameIn(text))
    return context.undefined
  })
  offer('fileNames', () => context.newString(JSON.stringify(files.names())))
  offer('read', name => {
    const content = files.read(nameIn(name))
    if (content === undefined) return context.null
    return typeof content === 'string' ? context.newString(JSON.stringify(content)) : context.false
  })
  offer('readBytes', name => {
    const content = files.read(nameIn(name))
    if (content === undefined) return context.null
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    return context.newArrayBuffer(Uint8Array.from(bytes).buffer)
  })
  offer('write', (name, content) => {
    const violation = files.write(nameIn(name), contentIn(content))
    return violation === undefined ? context.undefined : context.newString(violation)
  })

  const limits = JSON.stringify({ text: resultCharacters, bytes: writtenBytes, error: errorCharacters })
  const source = `(host => (${makeGlobals.toString()})(host, (${makeValueTexts.toString()})(), ${limits}))`
  const make = context.unwrapResult(context.evalCode(source, 'sandbox.js'))
  const ending = context.unwrapResult(context.callFunction(make, context.undefined, host))
  const finish = context.getProp(ending, 'finish')
  const showError = context.getProp(ending, 'showError')
  return {
    finish: script => context.callFunction(finish, context.undefined, script),
    showError: thrown => {
      const text = context.callFunction(showError, context.undefined, thrown)
      return text.error ? undefined : textOf(context, text.value)
    },
  }
}
