import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'
import { escapedHtml } from './escaped-html.ts'

/** Where a link may lead; `https://matrix.to` is among them. */
const linkSchemes = ['http:', 'https:', 'mailto:']

/**
 * The Markdown of a text as HTML for Matrix (v1.11, `org.matrix.custom.html`): made from what was read of it, so that no
 * tag of the text is one of the HTML, with the tags alone that clients are told to show, and nothing that they would load.
 *
 * @returns Undefined for a text without Markdown, and for one that has more of it than is read.
 */
export const markdownHtml = (text: string): string | undefined => {
  try {
    const tokens = new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() }).lex(text)
    const writer = new HtmlWriter()
    const html = writer.message(tokens)
    return writer.hasMarks && html !== '' ? html : undefined
  } catch {
    // Whatever the reader of Markdown stumbles over, the text itself can always be shown.
    return undefined
  }
}

class HtmlWriter {
  /** Whether there was anything beside words, lines and addresses. */
  hasMarks = false
  #isInLink = false

  /** A message of one paragraph needs no paragraph's tags. */
  message(tokens: readonly Token[]): string {
    const [only, ...others] = tokens.filter(({ type }) => type !== 'space')
    return only?.type === 'paragraph' && others.length === 0 ? this.#all(only.tokens) : this.#all(tokens)
  }

  #all(tokens: readonly Token[] = []): string {
    return tokens.map(token => this.#one(token as MarkedToken)).join('')
  }

  #one(token: MarkedToken): string {
    switch (token.type) {
      case 'paragraph':
        return `<p>${this.#all(token.tokens)}</p>`
      case 'text':
        return token.tokens ? this.#all(token.tokens) : textHtml(token.text)
      case 'html':
        return token.block ? `<p>${escapedHtml(token.raw.trim()).replaceAll('\n', '<br>')}</p>` : escapedHtml(token.raw)
      case 'br':
        return '<br>'
      case 'space':
        return ''
      case 'link':
        return this.#link(token)
      default:
        this.hasMarks = true
        return this.#marked(token)
    }
  }

  #marked(token: Exclude<MarkedToken, Tokens.Paragraph | Tokens.Text>): string {
    switch (token.type) {
      case 'strong':
      case 'em':
      case 'del':
      case 'blockquote':
        return `<${token.type}>${this.#all(token.tokens)}</${token.type}>`
      case 'heading':
        return `<h${token.depth}>${this.#all(token.tokens)}</h${token.depth}>`
      case 'codespan':
        return `<code>${escapedHtml(token.text)}</code>`
      case 'code':
        return codeHtml(token)
      case 'list':
        return this.#list(token)
      case 'checkbox':
        return token.checked ? '☑ ' : '☐ '
      case 'table':
        return this.#table(token)
      case 'hr':
        return '<hr>'
      case 'image':
        return this.#anchor(token.href, textHtml(token.text || token.href)) ?? escapedHtml(token.raw)
      case 'def':
        return ''
      case 'escape':
        return escapedHtml(token.text)
      default:
        return escapedHtml(token.raw)
    }
  }

  #list({ ordered, start, items }: Tokens.List): string {
    const tag = ordered ? 'ol' : 'ul'
    const from = ordered && start !== '' && start !== 1 ? ` start="${start}"` : ''
    return `<${tag}${from}>${items.map(({ tokens }) => `<li>${this.#all(tokens)}</li>`).join('')}</${tag}>`
  }

  #table({ header, rows }: Tokens.Table): string {
    const row = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
      `<tr>${cells.map(({ tokens }) => `<${tag}>${this.#all(tokens)}</${tag}>`).join('')}</tr>`
    const body = rows.length === 0 ? '' : `<tbody>${rows.map(cells => row('td', cells)).join('')}</tbody>`
    return `<table><thead>${row('th', header)}</thead>${body}</table>`
  }

  #link({ href, raw, text, tokens, autolink }: Tokens.Link): string {
    // An address that stands there as it is: clients find it in plain texts as well.
    if (!autolink || raw.startsWith('<')) this.hasMarks = true
    if (this.#isInLink) return this.#all(tokens)
    this.#isInLink = true
    const label = this.#all(tokens)
    this.#isInLink = false
    return (isHonest(text, href) ? this.#anchor(href, label) : undefined) ?? escapedHtml(raw)
  }

  /** Undefined where it leads nowhere that a link may lead. */
  #anchor(href: string, label: string): string | undefined {
    if (this.#isInLink) return label
    const address = URL.canParse(href) ? new URL(href) : undefined
    if (!address || !linkSchemes.includes(address.protocol)) return undefined
    return `<a href="${escapedHtml(address.href)}">${label}</a>`
  }
}

/** Whether a link leads where its words say, where they are an address themselves. */
const isHonest = (label: string, href: string): boolean => {
  const said = /(?:https?:\/\/|www\.)[^\s<>"*_`]+/i.exec(label)?.[0]
  if (said === undefined || !URL.canParse(href)) return true
  const address = said.toLowerCase().startsWith('www.') ? `http://${said}` : said
  return URL.canParse(address) && new URL(address).host === new URL(href).host
}

const codeHtml = ({ text, lang }: Tokens.Code): string => {
  const language = /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0]
  const kind = language === undefined ? '' : ` class="language-${language}"`
  return `<pre><code${kind}>${escapedHtml(text)}\n</code></pre>`
}

/** The words of Markdown: a character may stand there by its name (`&copy;`). */
const textHtml = (text: string): string =>
  text
    .split(/(&[A-Za-z][A-Za-z0-9]{1,30};)/)
    .map((part, place) => (place % 2 === 1 ? part : escapedHtml(part)))
    .join('')

/** How deep marks may stand in each other, how many marks of a kind that is costly to read, and cells of a table. */
const most = { depth: 12, marks: 300, cells: 500 }

/** A text has more marks than are read. */
export class TooManyMarks extends Error {}

/**
 * Reads Markdown in bounded time, whoever wrote it: what is nested deeper, and tables that are larger, stand as they are.
 *
 * @throws TooManyMarks Where a text has more of them than any that is meant to be read.
 */
export class BoundedTokenizer extends Tokenizer {
  #depth = 0
  #marks = 0

  override blockquote(src: string): Tokens.Blockquote | undefined {
    return this.#inside(() => super.blockquote(src))
  }

  override list(src: string): Tokens.List | undefined {
    return this.#inside(() => super.list(src))
  }

  override table(src: string): Tokens.Table | undefined {
    const [head = ''] = src.split('\n', 1)
    const rows = src.split(/\n[ \t]*\n/, 1)[0]?.split('\n').length ?? 0
    return head.split('|').length * rows > most.cells ? undefined : super.table(src)
  }

  override emStrong(src: string, masked: string, before?: string): Tokens.Em | Tokens.Strong | undefined {
    return /^[*_]/.test(src) ? this.#counted(() => super.emStrong(src, masked, before)) : undefined
  }

  override del(src: string, masked: string, before?: string): Tokens.Del | undefined {
    return src.startsWith('~') ? this.#counted(() => super.del(src, masked, before)) : undefined
  }

  override link(src: string): Tokens.Link | Tokens.Image | undefined {
    return /^!?\[/.test(src) ? this.#counted(() => super.link(src)) : undefined
  }

  override url(src: string): Tokens.Link | undefined {
    return /^(?:https?:\/\/|www\.)/i.test(src) ? this.#counted(() => super.url(src)) : undefined
  }

  #counted<Token>(read: () => Token | undefined): Token | undefined {
    this.#marks += 1
    if (this.#marks > most.marks) throw new TooManyMarks()
    return this.#inside(read)
  }

  #inside<Token>(read: () => Token | undefined): Token | undefined {
    if (this.#depth >= most.depth) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}
