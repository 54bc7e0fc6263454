/** The small DOM of Readability, for workers; it only accepts well-formed markup. */
declare module '@mozilla/readability/JSDOMParser.js' {
  class JSDOMParser {
    parse(markup: string): Document
  }
  export = JSDOMParser
}
