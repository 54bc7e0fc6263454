const names: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes text for HTML, also for attributes in double quotes. */
export const escapedHtml = (text: string): string => text.replace(/[&<>"]/g, character => names[character] ?? '')
