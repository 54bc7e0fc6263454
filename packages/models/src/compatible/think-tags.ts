const open = '<think>'
const close = '</think>'

/** A piece of text, split into answer and reasoning; an empty part is missing. */
export interface SplitText {
  readonly reasoning?: string
  readonly content?: string
}

/** Creates a splitter for answers that begin with `<think>`, as models write whose server does not separate their reasoning. */
export const createThinkSplitter = () => {
  let state: 'start' | 'thinking' | 'gap' | 'content' = 'start'
  let held = ''

  const takeThinking = (): string => {
    const end = held.indexOf(close)
    const kept = end < 0 ? held.length - tagStartAtEnd(held) : end
    const reasoning = held.slice(0, kept)
    held = end < 0 ? held.slice(kept) : held.slice(end + close.length)
    if (end >= 0) state = 'gap'
    return reasoning
  }

  return {
    /** Whether all that comes is content from here on. */
    get isOver() {
      return state === 'content'
    },
    take(text: string): SplitText {
      held += text
      if (state === 'start') {
        const begun = held.trimStart()
        if (begun.startsWith(open)) {
          state = 'thinking'
          held = begun.slice(open.length)
        } else if (open.startsWith(begun)) return {}
        else state = 'content'
      }
      const reasoning = state === 'thinking' ? takeThinking() : ''
      if (state === 'gap') {
        held = held.trimStart()
        if (held !== '') state = 'content'
      }
      const content = state === 'content' ? held : ''
      if (state === 'content') held = ''
      return { ...(reasoning === '' ? {} : { reasoning }), ...(content === '' ? {} : { content }) }
    },
    /** Returns what was held back because it could have been part of a tag. */
    end(): SplitText {
      const rest = held
      held = ''
      if (rest === '' || state === 'gap') return {}
      return state === 'thinking' ? { reasoning: rest } : { content: rest }
    },
  }
}

/** Returns the number of characters at the end that could be the start of the closing tag. */
const tagStartAtEnd = (text: string): number => {
  for (let length = Math.min(close.length - 1, text.length); length > 0; length -= 1) {
    if (close.startsWith(text.slice(-length))) return length
  }
  return 0
}
