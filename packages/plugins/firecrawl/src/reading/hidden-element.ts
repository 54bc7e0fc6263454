const hidingStyles = [
  /(?:^|;)\s*display\s*:\s*none/i,
  /(?:^|;)\s*visibility\s*:\s*(?:hidden|collapse)/i,
  /(?:^|;)\s*content-visibility\s*:\s*hidden/i,
  /(?:^|;)\s*opacity\s*:\s*0*(?:\.0+)?%?\s*(?:;|!|$)/i,
  /(?:^|;)\s*font(?:-size)?\s*:\s*0(?:\.0+)?(?:px|pt|r?em|%)?\s*(?:;|!|\/|$)/i,
  /(?:^|;)\s*(?:left|top|right|bottom|text-indent|margin-left|margin-top)\s*:\s*-\d{3,}/i,
  /(?:^|;)\s*clip(?:-path)?\s*:\s*(?:rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?|inset\(\s*(?:50|100)%)/i,
  /(?:^|;)\s*(?:color)\s*:\s*transparent/i,
]

/**
 * Whether people do not see an element: by its own attributes, for style sheets are not read. What nobody sees is a favourite
 * place for orders to a model.
 */
export const isHidden = (attributes: Readonly<Record<string, string>>): boolean => {
  if (attributes.hidden !== undefined || attributes['aria-hidden']?.trim().toLowerCase() === 'true') return true
  const style = attributes.style?.slice(0, 2_000).replaceAll(/\/\*.*?\*\//g, '')
  return style !== undefined && hidingStyles.some(pattern => pattern.test(style))
}
