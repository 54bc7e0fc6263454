import { getDocumentProxy } from 'unpdf'

/** The most of a PDF that is read. */
export interface PdfLimits {
  readonly pages: number
  readonly characters: number
}

/** The text of a PDF, or the reason why it cannot be read. */
export type PdfText =
  | { readonly text: string; readonly pages: number; readonly isTruncated: boolean }
  | { readonly fault: 'locked' | 'broken' }

/** Reads the text of a PDF page by page; scripts, forms and files in it are left alone. */
export const readPdf = async (content: Uint8Array, limits: PdfLimits): Promise<PdfText> => {
  try {
    const document = await getDocumentProxy(content, {
      enableXfa: false,
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    })
    const texts: string[] = []
    let characters = 0
    let page = 1
    for (; page <= Math.min(document.numPages, limits.pages) && characters < limits.characters; page += 1) {
      const { items } = await (await document.getPage(page)).getTextContent()
      const text = items.map(item => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('')
      texts.push(text.trim())
      characters += text.length + 2
    }
    const text = texts.join('\n\n').trim()
    const isTruncated = page <= document.numPages || text.length > limits.characters
    return { text: text.slice(0, limits.characters).toWellFormed(), pages: document.numPages, isTruncated }
  } catch (error) {
    return { fault: error instanceof Error && error.name === 'PasswordException' ? 'locked' : 'broken' }
  }
}
