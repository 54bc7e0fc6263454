const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML, in an element or between the quotes of an attribute. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, character => entities[character]!)
