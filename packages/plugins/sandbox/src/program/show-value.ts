/** Converts values to text. */
export interface ValueTexts {
  /**
   * Returns a value as JSON, with additional forms for values outside of JSON, such as `undefined`, `[Circular]` or
   * `Map {…}`.
   */
  show(value: unknown, maxCharacters: number): string
  /** Returns a thrown value, with the lines of the program. */
  showError(thrown: unknown, maxCharacters: number): string
}

/**
 * Creates the conversion of values to text. It runs inside the sandbox, before the program. Its source is read with
 * `toString`, so it must not use anything from outside this function. It saves the built-in objects that it needs,
 * because the program can change them.
 */
export const makeValueTexts = (): ValueTexts => {
  const bound = <This, Args extends unknown[], Out>(method: (this: This, ...args: Args) => Out) =>
    Function.prototype.call.bind(method) as unknown as (self: This, ...args: Args) => Out
  const getter = (holder: object, name: PropertyKey) =>
    bound(Object.getOwnPropertyDescriptor(holder, name)!.get! as (this: unknown) => unknown)
  const { stringify } = JSON
  const { isArray } = Array
  const { ownKeys } = Reflect
  const { getOwnPropertyDescriptor } = Object
  const asText = String
  const slice = bound(String.prototype.slice)
  const matchLine = bound(RegExp.prototype.exec)
  const split = bound(String.prototype.split as (by: string) => string[])
  const { isError } = Error as unknown as { isError(value: unknown): boolean }
  const dateText = bound(Date.prototype.toISOString)
  const dateTime = bound(Date.prototype.getTime)
  const mapSize = getter(Map.prototype, 'size')
  const setSize = getter(Set.prototype, 'size')
  type Each = (this: unknown, call: (entry: unknown, key: unknown) => void) => void
  const mapEach = bound(Map.prototype.forEach as Each)
  const setEach = bound(Set.prototype.forEach as Each)
  const arrayKind = getter(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag)
  const regExpText = bound(RegExp.prototype.toString)
  const isGlobal = getter(RegExp.prototype, 'global')
  const bufferSize = getter(ArrayBuffer.prototype, 'byteLength')
  const NativePromise = Promise
  const programLine = /program\.js:\d+(?::\d+)?/
  const maxDepth = 20
  const maxItems = 10_000

  /** Thrown once the text is long enough. */
  const full = {}

  const attempt = <Out>(make: () => Out): Out | undefined => {
    try {
      return make()
    } catch (error) {
      if (error === full) throw error
      return undefined
    }
  }

  const show = (value: unknown, maxCharacters: number): string => {
    let text = ''
    const path: object[] = []
    const add = (piece: string) => {
      text += piece
      if (text.length > maxCharacters) throw full
    }

    const write = (one: unknown): void => {
      const plain = plainText(one, maxCharacters)
      if (plain !== undefined) add(plain)
      else if (isOnPath(one as object)) add('[Circular]')
      else if (path.length >= maxDepth) add('[…]')
      else {
        path[path.length] = one as object
        writeObject(one as object)
        path.length -= 1
      }
    }

    const isOnPath = (one: object): boolean => {
      for (let index = 0; index < path.length; index += 1) if (path[index] === one) return true
      return false
    }

    const writeObject = (one: object): void => {
      const kind = arrayKind(one)
      if (isArray(one)) writeArray('', one)
      else if (kind !== undefined) writeArray(`${asText(kind)} `, one as ArrayLike<unknown>)
      else if (attempt(() => mapSize(one)) !== undefined) writeEntries('Map', one as Map<unknown, unknown>)
      else if (attempt(() => setSize(one)) !== undefined) writeEntries('Set', one as Set<unknown>)
      else writeMembers(one)
    }

    const writeArray = (kind: string, items: ArrayLike<unknown>): void => {
      add(`${kind}[`)
      const { length } = items
      for (let index = 0; index < length && index < maxItems; index += 1) {
        if (index > 0) add(',')
        writeMember(items as object, index)
      }
      if (length > maxItems) add(`,… ${length - maxItems} more`)
      add(']')
    }

    const writeEntries = (kind: string, entries: Map<unknown, unknown> | Set<unknown>): void => {
      let count = 0
      const writeEntry = (entry: unknown, key: unknown) => {
        count += 1
        if (count > maxItems) return
        add(count > 1 ? ',' : '')
        if (kind === 'Map') {
          write(key)
          add(' => ')
        }
        write(entry)
      }
      add(`${kind} {`)
      if (kind === 'Map') mapEach(entries, writeEntry)
      else setEach(entries, writeEntry)
      if (count > maxItems) add(`,… ${count - maxItems} more`)
      add('}')
    }

    const writeMembers = (one: object): void => {
      const keys = ownKeys(one)
      let written = 0
      add('{')
      for (let index = 0; index < keys.length && written < maxItems; index += 1) {
        const key = keys[index]!
        if (typeof key === 'symbol' || getOwnPropertyDescriptor(one, key)?.enumerable !== true) continue
        add(`${written > 0 ? ',' : ''}${stringify(key)}:`)
        writeMember(one, key)
        written += 1
      }
      if (written === maxItems && keys.length > maxItems) add(',…')
      add('}')
    }

    const writeMember = (holder: object, key: PropertyKey): void => {
      const member = getOwnPropertyDescriptor(holder, key)
      if (member === undefined) add('null')
      else if (member.get !== undefined || member.set !== undefined) add('[Getter]')
      else write(member.value)
    }

    try {
      write(value)
      return text
    } catch (error) {
      if (error === full) return slice(text, 0, maxCharacters)
      return '[a value that cannot be shown]'
    }
  }

  /** Returns the text of a value without displayable members. */
  const plainText = (one: unknown, maxCharacters: number): string | undefined => {
    if (typeof one === 'string') return stringify(one.length > maxCharacters ? slice(one, 0, maxCharacters) : one)
    if (typeof one === 'bigint') return `${one}n`
    if (typeof one === 'function') return functionText(one)
    if (typeof one !== 'object' || one === null) return asText(one)
    if (isError(one)) return showError(one, 500)
    const time = attempt(() => dateTime(one as Date))
    if (time !== undefined) return attempt(() => stringify(dateText(one as Date))) ?? 'Invalid Date'
    if (attempt(() => isGlobal(one)) !== undefined) return attempt(() => regExpText(one as RegExp)) ?? '[RegExp]'
    const bytes = attempt(() => bufferSize(one))
    if (bytes !== undefined) return `[ArrayBuffer of ${asText(bytes)} bytes]`
    return attempt(() => one instanceof NativePromise) === true ? '[Promise]' : undefined
  }

  const functionText = (one: object): string => {
    const name = attempt(() => getOwnPropertyDescriptor(one, 'name')?.value)
    return typeof name === 'string' && name !== '' ? `[Function ${slice(name, 0, 100)}]` : '[Function]'
  }

  const showError = (thrown: unknown, maxCharacters: number): string => {
    const isOne = attempt(() => isError(thrown)) === true
    if (!isOne) return `Thrown: ${show(thrown, maxCharacters)}`
    const error = thrown as Error
    const name = attempt(() => asText(error.name)) ?? 'Error'
    const message = attempt(() => asText(error.message)) ?? ''
    const stack = attempt(() => asText(getOwnPropertyDescriptor(error, 'stack')?.value ?? '')) ?? ''
    let text = slice(message === '' ? name : `${name}: ${message}`, 0, maxCharacters)
    const lines = split(slice(stack, 0, 20_000), '\n')
    let shown = 0
    for (let index = 0; index < lines.length && shown < 5; index += 1) {
      const line = lines[index]!
      if (matchLine(programLine, line) === null) continue
      text += `\n${line}`
      shown += 1
    }
    return slice(text, 0, maxCharacters)
  }

  return { show, showError }
}
