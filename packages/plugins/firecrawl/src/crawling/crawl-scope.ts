/** Which addresses belong to a crawl. */
export type CrawlScope = (url: string) => boolean

/** Files that are not read anyway. */
const files =
  /\.(?:pdf|png|jpe?g|gif|webp|avif|svg|ico|mp[34]|webm|ogg|wav|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|iso|docx?|xlsx?|pptx?|odt|epub|woff2?|ttf|css|js)$/i

/** The pages of one site below the folder of the first one: of `/docs/start` all of `/docs/`. */
export const crawlScope = (start: URL): CrawlScope => {
  const folder = start.pathname.replace(/[^/]*$/, '')
  return url => {
    const { origin, pathname } = new URL(url)
    return origin === start.origin && pathname.startsWith(folder) && !files.test(pathname)
  }
}
