import type { ValueTexts } from './show-value.ts'

/**
 * Calls from the globals of a program to the worker. Only bytes and texts are passed, texts as JSON, because QuickJS
 * truncates a string at its first NUL.
 */
export interface ProgramHost {
  print(text: string): void
  /** Returns a JSON list. */
  fileNames(): string
  /** Returns null if the file does not exist, false if it is not text. */
  read(name: string): string | null | false
  readBytes(name: string): ArrayBuffer | null
  /** Returns the reason if the file was not written. */
  write(name: string, content: string | ArrayBuffer): string | undefined
}

/**
 * Creates `console` and `files`, the only additions to the language. It runs inside the sandbox, before the program,
 * like `makeValueTexts`: its source is read with `toString`.
 *
 * @param limits.text The maximum number of characters that are passed to the worker at once.
 */
export const makeGlobals = (
  host: ProgramHost,
  { show, showError }: ValueTexts,
  limits: { readonly text: number; readonly bytes: number; readonly error: number },
) => {
  const bound = <This, Args extends unknown[], Out>(method: (this: This, ...args: Args) => Out) =>
    Function.prototype.call.bind(method) as unknown as (self: This, ...args: Args) => Out
  const slice = bound(String.prototype.slice)
  const copy = bound(ArrayBuffer.prototype.slice)
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object
  const part = (name: string) =>
    bound(Object.getOwnPropertyDescriptor(typedArray, name)!.get! as (this: unknown) => unknown)
  const bufferOf = part('buffer')
  const offsetOf = part('byteOffset')
  const lengthOf = part('byteLength')
  const { isView } = ArrayBuffer
  const { parse, stringify } = JSON
  const { defineProperty, freeze } = Object
  const Bytes = Uint8Array
  const Failure = Error
  const WrongType = TypeError
  const NativePromise = Promise

  const textOf = (value: unknown) =>
    typeof value === 'string' ? slice(value, 0, limits.text) : show(value, limits.text)
  const print = (...values: unknown[]) => {
    let line = ''
    for (let index = 0; index < values.length && line.length < limits.text; index += 1) {
      line += (index > 0 ? ' ' : '') + textOf(values[index])
    }
    host.print(stringify(slice(line, 0, limits.text)))
  }

  const nameOf = (name: unknown): string => {
    if (typeof name !== 'string') throw new WrongType('The name of a file must be a string.')
    return slice(name, 0, 1_000)
  }
  const missing = (name: string) => new Failure(`The file '${name}' does not exist.`)
  const bytesOf = (value: unknown): ArrayBuffer => {
    if (!isView(value)) throw new WrongType('The content of a file must be a string or a Uint8Array.')
    const start = offsetOf(value) as number | undefined
    const length = lengthOf(value) as number | undefined
    if (start === undefined || length === undefined)
      throw new WrongType('The content of a file must be a string or a Uint8Array.')
    if (length > limits.bytes) throw new Failure('The content is too large for a file.')
    return copy(bufferOf(value) as ArrayBuffer, start, start + length)
  }

  const isPromise = (value: unknown): boolean => {
    try {
      return value instanceof NativePromise
    } catch {
      return false
    }
  }

  const files = {
    list: () => parse(host.fileNames()) as string[],
    read: (name: unknown) => {
      const known = nameOf(name)
      const text = host.read(stringify(known))
      if (text === null) throw missing(known)
      if (text === false) throw new Failure(`The file '${known}' is not text; use files.readBytes.`)
      return parse(text) as string
    },
    readBytes: (name: unknown) => {
      const known = nameOf(name)
      const bytes = host.readBytes(stringify(known))
      if (bytes === null) throw missing(known)
      return new Bytes(bytes)
    },
    write: (name: unknown, content: unknown) => {
      if (typeof content === 'string' && content.length > limits.bytes)
        throw new Failure('The content is too large for a file.')
      const violation = host.write(
        stringify(nameOf(name)),
        typeof content === 'string' ? stringify(content) : bytesOf(content),
      )
      if (violation !== undefined) throw new Failure(violation)
    },
  }
  const define = (name: string, value: object) =>
    defineProperty(globalThis, name, { value: freeze(value), writable: true, configurable: true, enumerable: false })
  define('console', { log: print, info: print, warn: print, error: print })
  define('files', files)

  return {
    finish: async (script: Promise<{ value: unknown }>): Promise<string | undefined> => {
      let { value } = await script
      if (isPromise(value)) value = await value
      return value === undefined ? undefined : stringify(show(value, limits.text))
    },
    showError: (thrown: unknown): string => stringify(showError(thrown, limits.error)),
  }
}
