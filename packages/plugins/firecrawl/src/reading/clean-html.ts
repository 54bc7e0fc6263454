import { Parser } from 'htmlparser2'
import { absoluteLink, type PageLink, type ReadingLimits } from './page-text.ts'

/** A page without invisible content. */
export interface CleanPage {
  /** Content of its body, with each element closed and the nesting limited. */
  readonly markup: string
  readonly title: string
  readonly language: string | undefined
  readonly canonical: string | undefined
  /** `content` of each `meta`, by lower-case name; the first one is used. */
  readonly meta: ReadonlyMap<string, string>
  /** The first marked time. */
  readonly time: string | undefined
  readonly links: readonly PageLink[]
  /** Characters of text. */
  readonly textLength: number
  /** Maximum number of children of an element. */
  readonly widest: number
  readonly isComplete: boolean
}

type Attributes = Readonly<Record<string, string>>

/** Elements that are removed with their content. */
const dropped = new Set(
  `applet area audio button canvas datalist dialog embed frame frameset iframe input map meter noembed noframes noscript
  object optgroup option param progress script select source style svg template textarea track video`.split(/\s+/),
)
const empty = new Set(['br', 'hr', 'img', 'wbr'])
const outside = new Set(['html', 'head', 'body', 'meta', 'link', 'base'])
const keptAttributes = ['class', 'id', 'colspan', 'rowspan', 'itemprop', 'role', 'rel', 'start']

/** Maximum length of an attribute, in characters. */
const maxAttribute = 1_000
const maxMeta = 200
const maxLinkText = 100
/** Maximum number of open elements; parsing time grows with their square. */
const maxOpen = 1_000
const chunkLength = 65_536

/**
 * Reads a page in one pass, whatever its markup: removes scripts, styles, form fields and hidden text, makes links
 * absolute, and limits the rest, so that later steps can neither hang nor overflow.
 *
 * @param address address of the page
 */
export const cleanHtml = (html: string, address: URL, limits: ReadingLimits): CleanPage => {
  const body: string[] = []
  const meta = new Map<string, string>()
  const links = new Map<string, { readonly url: string; text: string; readonly noFollow: boolean }>()
  /** Tag of each open element as written; '' for one that was unwrapped. */
  const open: string[] = []
  /** Number of children of each written element. */
  const children = [0]
  let base: URL | undefined
  let title: string | undefined
  let language: string | undefined
  let canonical: string | undefined
  let time: string | undefined
  let link: { text: string } | undefined
  let elements = 0
  let skipped = 0
  let textLength = 0
  let widest = 0
  let isComplete = true

  const linkOf = ({ href }: Attributes) => absoluteLink(href, base ?? address)

  const readOutside = (name: string, attributes: Attributes): void => {
    if (name === 'html') language ??= attributes.lang?.slice(0, 35)
    if (name === 'base' && !base && attributes.href !== undefined) {
      const href = absoluteLink(attributes.href, address)
      if (href?.startsWith('http')) base = new URL(href)
    }
    if (name === 'link' && attributes.rel?.toLowerCase() === 'canonical') canonical ??= linkOf(attributes)
    if (name === 'meta' && attributes.content !== undefined && meta.size < maxMeta) {
      const { property, 'http-equiv': equivalent, itemprop } = attributes
      const key = (attributes.name ?? property ?? equivalent ?? itemprop ?? '').toLowerCase()
      if (!meta.has(key)) meta.set(key, attributes.content.slice(0, maxAttribute))
    }
  }

  const noteLink = (attributes: Attributes): void => {
    const href = linkOf(attributes)
    if (!href?.startsWith('http')) return
    const url = href.replace(/#.*$/s, '')
    const known = links.get(url) ?? { url, text: '', noFollow: /\bnofollow\b/i.test(attributes.rel ?? '') }
    if (!links.has(url) && links.size < limits.maxLinks) links.set(url, known)
    link = known.text === '' ? known : undefined
  }

  const writeText = (text: string): void => {
    const kept = text.slice(0, limits.maxText - textLength)
    if (kept.length < text.length) isComplete = false
    textLength += kept.length
    body.push(escapeText(kept))
  }

  const writeElement = (name: string, attributes: Attributes): string => {
    if (children.length > limits.maxDepth && !empty.has(name)) {
      if (body.at(-1) !== ' ') body.push(' ')
      return ''
    }
    const siblings = (children.pop() ?? 0) + 1
    children.push(siblings)
    widest = Math.max(widest, siblings)
    elements += 1
    if (name === 'img') {
      writeText(imageText(attributes))
      return ''
    }
    if (empty.has(name)) {
      body.push(`<${name}${attributeText(attributes)}/>`)
      return ''
    }
    const written = /^[a-z][a-z0-9]*$/.test(name) ? name : 'span'
    const href = written === 'a' ? linkOf(attributes) : undefined
    body.push(`<${written}${attributeText({ ...attributes, href })}>`)
    children.push(0)
    return written
  }

  const parser = new Parser({
    onopentag(name, attributes) {
      if (open.length + skipped >= maxOpen) isComplete = false
      const isSecondTitle = name === 'title' && title !== undefined
      if (!isComplete || skipped > 0 || dropped.has(name) || isSecondTitle || isHidden(attributes)) {
        skipped += 1
      } else if (outside.has(name)) {
        readOutside(name, attributes)
        open.push('')
      } else if (name === 'title') {
        title = ''
        open.push(name)
      } else if (elements >= limits.maxElements) {
        isComplete = false
        skipped += 1
      } else {
        if (name === 'a') noteLink(attributes)
        if (name === 'time') time ??= attributes.datetime?.slice(0, 40)
        open.push(writeElement(name, attributes))
      }
    },
    ontext(text) {
      if (skipped > 0) return
      if (open.at(-1) === 'title') {
        title = `${title}${text}`.slice(0, maxAttribute)
        return
      }
      if (link) link.text = `${link.text}${text}`.replaceAll(/\s+/g, ' ').slice(0, maxLinkText)
      writeText(text)
    },
    onclosetag(name) {
      if (skipped > 0) {
        skipped -= 1
        return
      }
      if (name === 'a') link = undefined
      const written = open.pop()
      if (!written || written === 'title') return
      children.pop()
      body.push(`</${written}>`)
    },
  })
  for (let at = 0; at < html.length && isComplete; at += chunkLength) parser.write(html.slice(at, at + chunkLength))
  if (isComplete) parser.end()
  for (const written of open.toReversed()) if (written !== '' && written !== 'title') body.push(`</${written}>`)
  return {
    markup: body.join(''),
    title: title ?? '',
    language,
    canonical,
    meta,
    time,
    links: [...links.values()],
    textLength,
    widest,
    isComplete,
  }
}

const attributeText = (attributes: Readonly<Record<string, string | undefined>>): string =>
  [...keptAttributes, 'href']
    .flatMap(name => {
      const value = attributes[name]
      const limit = name === 'href' ? undefined : maxAttribute
      return value === undefined ? [] : [` ${name}="${escapeText(value.slice(0, limit)).replaceAll('"', '&quot;')}"`]
    })
    .join('')

/** Returns the text that replaces an image. */
const imageText = ({ alt }: Attributes): string => {
  const text = alt?.replaceAll(/\s+/g, ' ').trim().slice(0, maxAttribute) ?? ''
  return text === '' ? '' : ` [image: ${text}] `
}

/** Characters that markup must not contain. */
const forbidden = /(?![\t\n\f\r])\p{Cc}/gu

/** Escapes text for markup. */
export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(forbidden, '')

const hidingStyles = [
  /(?:^|;)\s*display\s*:\s*none/i,
  /(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)/i,
  /(?:^|;)\s*content-visibility\s*:\s*hidden/i,
  /(?:^|;)\s*opacity\s*:\s*0*(?:\.0+)?%?\s*(?:;|!|$)/i,
  /(?:^|;)\s*font(?:-size)?\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:;|!|\/|$)/i,
  /(?:^|;)\s*(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}/i,
  /(?:^|;)\s*clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?|inset\(\s*(?:50|100)%)/i,
  /(?:^|;)\s*color\s*:\s*(?:transparent|(?:rgb|hsl)a\((?:[^,()]*,){3}\s*0(?:\.0+)?%?\s*\))/i,
  /(?:^|;)\s*(?:transform\s*:\s*)?scale\s*[:(]\s*0(?:\.0+)?\s*(?:[,);!]|$)/i,
]

/** Both together make an element invisible. */
const flat = /(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:;|!|$)/i
const cut = /(?:^|;)\s*overflow\s*:\s*(?:hidden|clip)/i

/** Returns a style without comments and CSS escapes. */
const plainStyle = (style: string): string =>
  style
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, character: string | undefined) =>
      code === undefined ? (character ?? '') : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ffff)),
    )

/**
 * Returns whether an element is invisible by its own attributes; style sheets are not read. Hidden text is a common
 * place for instructions to a model.
 */
const isHidden = (attributes: Readonly<Record<string, string>>): boolean => {
  if (attributes.hidden !== undefined || attributes.popover !== undefined) return true
  if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true
  if (attributes.style === undefined) return false
  const style = plainStyle(attributes.style)
  return hidingStyles.some(pattern => pattern.test(style)) || (flat.test(style) && cut.test(style))
}
