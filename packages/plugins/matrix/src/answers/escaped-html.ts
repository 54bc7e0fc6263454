const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** A text as HTML that shows it as it is; also between the double quotes of an attribute. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"]/g, character => names[character] ?? '')
