import type { Needle } from './canary-forms.ts'

/** Where something was found that must not be there. */
export interface Hit {
  readonly place: string
  readonly name: string
  /** Text around it, without the secret itself. */
  readonly around: string
}

/** Everything that left a process, by the place where it went. */
export class Places {
  readonly #texts = new Map<string, string[]>()

  add(place: string, text: string): void {
    const texts = this.#texts.get(place)
    if (texts) texts.push(text)
    else this.#texts.set(place, [text])
  }

  /** Returns the number of collected characters by place. */
  sizes(): Record<string, number> {
    return Object.fromEntries(
      [...this.#texts].map(([place, texts]) => [place, texts.reduce((sum, text) => sum + text.length, 0)]),
    )
  }

  /** The last of what went to places whose names begin so. */
  tail(start: string): string {
    const texts = [...this.#texts].flatMap(([place, all]) => (place.startsWith(start) ? all : []))
    return texts.join('').slice(-2_000)
  }

  /** Looks for needles in all places, or in all but some. */
  search(needles: readonly Needle[], except: readonly string[] = []): Hit[] {
    return [...this.#texts].flatMap(([place, texts]) => {
      if (except.includes(place)) return []
      const text = texts.join('\n')
      return needles.flatMap(needle => {
        const at = text.indexOf(needle.text)
        if (at < 0) return []
        const before = text.slice(Math.max(0, at - 120), at)
        const after = text.slice(at + needle.text.length, at + needle.text.length + 40)
        return [{ place, name: needle.name, around: JSON.stringify(`${before}<HERE>${after}`) }]
      })
    })
  }
}
