import { escapeHtml } from '@sibyl/plugin'
import { Lexer, type MarkedToken, type Token, Tokenizer, type Tokens } from 'marked'

/** Allowed schemes of links, which include `https://matrix.to`. */
const linkSchemes = ['http:', 'https:', 'mailto:']

/**
 * Converts Markdown to HTML for Matrix (v1.11, `org.matrix.custom.html`). The HTML is built from parsed tokens, so that
 * tags in the text are never tags of the HTML. It only contains tags that clients should show, and nothing that they
 * would load.
 *
 * @returns Undefined for text without Markdown, and for text with too much of it.
 */
export const markdownHtml = (text: string): string | undefined => {
  try {
    const tokens = new Lexer({ gfm: true, breaks: true, tokenizer: new BoundedTokenizer() }).lex(text)
    const writer = new HtmlWriter()
    const html = writer.message(tokens)
    return writer.hasMarks && html !== '' ? html : undefined
  } catch {
    // If the Markdown parser fails on any input, the plain text can still be shown.
    return undefined
  }
}

class HtmlWriter {
  /** Whether the text has anything besides words, lines and addresses. */
  hasMarks = false
  #isInLink = false

  /** Omits the paragraph tags of a message with one paragraph. */
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
        return token.block ? `<p>${escapeHtml(token.raw.trim()).replaceAll('\n', '<br>')}</p>` : escapeHtml(token.raw)
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
        return `<code>${escapeHtml(token.text)}</code>`
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
        return this.#anchor(token.href, textHtml(token.text || token.href)) ?? escapeHtml(token.raw)
      case 'def':
        return ''
      case 'escape':
        return escapeHtml(token.text)
      default:
        return escapeHtml(token.raw)
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
    // A plain address: clients detect it in plain text as well.
    if (!autolink || raw.startsWith('<')) this.hasMarks = true
    if (this.#isInLink) return this.#all(tokens)
    this.#isInLink = true
    const label = this.#all(tokens)
    this.#isInLink = false
    return (isHonest(text, href) ? this.#anchor(href, label) : undefined) ?? escapeHtml(raw)
  }

  /** Returns undefined if the scheme of the link is not allowed. */
  #anchor(href: string, label: string): string | undefined {
    if (this.#isInLink) return label
    const address = URL.canParse(href) ? new URL(href) : undefined
    if (!address || !linkSchemes.includes(address.protocol)) return undefined
    return `<a href="${escapeHtml(address.href)}">${label}</a>`
  }
}

/** Returns whether a link leads to the address in its label, if the label is an address. */
const isHonest = (label: string, href: string): boolean => {
  const text = /(?:https?:\/\/|www\.)[^\s<>"*_`]+/i.exec(label)?.[0]
  if (text === undefined || !URL.canParse(href)) return true
  const address = text.toLowerCase().startsWith('www.') ? `http://${text}` : text
  return URL.canParse(address) && new URL(address).host === new URL(href).host
}

const codeHtml = ({ text, lang }: Tokens.Code): string => {
  const language = /^[\w+#.-]{1,40}/.exec(lang ?? '')?.[0]
  const kind = language === undefined ? '' : ` class="language-${language}"`
  return `<pre><code${kind}>${escapeHtml(text)}\n</code></pre>`
}

/** Returns the text of Markdown; characters may be written as entities (`&copy;`). */
const textHtml = (text: string): string =>
  text
    .split(/(&[A-Za-z][A-Za-z0-9]{1,30};)/)
    .map((part, place) => (place % 2 === 1 ? part : escapeHtml(part)))
    .join('')

/** Limits of Markdown: nesting depth, number of marks that are expensive to parse, and cells of a table. */
const max = { depth: 12, marks: 300, cells: 500 }

/** The text has too many marks. */
class TooManyMarks extends Error {}

/**
 * Parses Markdown in bounded time; deeper nesting and larger tables stay as text.
 *
 * @throws TooManyMarks if a text has more marks than any reasonable one
 */
class BoundedTokenizer extends Tokenizer {
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
    return head.split('|').length * rows > max.cells ? undefined : super.table(src)
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
    if (this.#marks > max.marks) throw new TooManyMarks()
    return this.#inside(read)
  }

  #inside<Token>(read: () => Token | undefined): Token | undefined {
    if (this.#depth >= max.depth) return undefined
    this.#depth += 1
    try {
      return read()
    } finally {
      this.#depth -= 1
    }
  }
}
