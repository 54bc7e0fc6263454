/** The small DOM that comes with Readability, for workers: it takes well-formed markup alone. */
declare module '@mozilla/readability/JSDOMParser.js' {
  class JSDOMParser {
    parse(markup: string): Document
  }
  export = JSDOMParser
}
