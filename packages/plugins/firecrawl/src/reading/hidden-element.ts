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

/** Both together leave nothing to see. */
const flat = /(?:^|;)\s*(?:max-)?(?:height|width)\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:;|!|$)/i
const cut = /(?:^|;)\s*overflow\s*:\s*(?:hidden|clip)/i

/** A style as its properties are meant: without comments, and without the escapes of CSS. */
const plainStyle = (style: string): string =>
  style
    .replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replaceAll(/\\(?:([0-9a-f]{1,6})\s?|([^\n]))/gi, (_, code: string | undefined, character: string | undefined) =>
      code === undefined ? (character ?? '') : String.fromCodePoint(Math.min(Number.parseInt(code, 16), 0x10_ffff)),
    )

/**
 * Whether people do not see an element: by its own attributes, for style sheets are not read. What nobody sees is a favourite
 * place for orders to a model.
 */
export const isHidden = (attributes: Readonly<Record<string, string>>): boolean => {
  if (attributes.hidden !== undefined || attributes.popover !== undefined) return true
  if (attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true
  if (attributes.style === undefined) return false
  const style = plainStyle(attributes.style)
  return hidingStyles.some(pattern => pattern.test(style)) || (flat.test(style) && cut.test(style))
}
