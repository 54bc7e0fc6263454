import { type Child, element } from './elements.ts'

/** The main region of the page, which shows one step after the other. */
export class PageScreen {
  readonly #main: HTMLElement
  readonly #footer: HTMLElement
  readonly #spoken: HTMLElement
  #isFirst = true

  constructor(page: Document) {
    const find = (id: string) => page.getElementById(id) as HTMLElement
    this.#main = find('main')
    this.#footer = find('footer')
    this.#spoken = find('spoken')
  }

  /** Shows a step and focuses its heading, as on a new page. */
  show(title: string, ...content: readonly Child[]): void {
    const heading = element('h1', { tabindex: -1 }, title)
    this.#main.replaceChildren(heading, element('div', {}, ...content))
    document.title = `${title} · Sibyl`
    if (!this.#isFirst) {
      scrollTo(0, 0)
      heading.focus({ preventScroll: true })
    }
    this.#isFirst = false
  }

  /** Shows content below all steps. */
  showFooter(...content: readonly Child[]): void {
    this.#footer.replaceChildren(...content.filter(child => child instanceof Node))
    this.#footer.hidden = content.length === 0
  }

  /** Announces a text to screen readers. */
  print(words: string): void {
    this.#spoken.textContent = words
  }
}
