import type { Manifest } from '@sibyl/plugin'

export const manifest: Manifest = {
  title: 'Firecrawl',
  summary: 'Reads web pages and the pages of a site as Markdown.',
  whenToUse: [
    'someone asks about the content of a web page, or gives an address to read or summarize',
    'information is needed from a site whose address is known',
  ],
  whenNotToUse: ['pages that require a login, or files such as PDFs', 'sending data to a site'],
  tags: ['web', 'page', 'url', 'site', 'read'],
  load: 'on-demand',
  examples: [
    {
      user: [
        'Read {url}',
        'Read the page {url}',
        'What does {url} say?',
        'What is on {url}?',
        "What's at {url}?",
        'What is {url} about?',
        'Summarise {url}',
        'Summarize {url}',
        'Sum up {url}',
        'Open {url}',
        'Scrape {url}',
        'Fetch {url}',
        'Show me {url}',
      ],
      tool: 'scrape_url',
      args: { url: '{url}', max: 3_000 },
      answer: '{url} says:\n\n{content.text}',
    },
    {
      user: ['Read all of {url}', 'Read the whole page {url}', 'Show me everything on {url}'],
      tool: 'scrape_url',
      args: { url: '{url}', max: 3_000, whole: true },
      answer: '{url} says:\n\n{content.text}',
    },
    {
      user: ['Crawl {url}', 'Crawl the site {url}', 'Read the site {url}', 'Read the pages of {url}'],
      tool: 'crawl_site',
      args: { url: '{url}' },
      answer: '{count} pages of {url}:\n\n{content.text}',
    },
  ],
}
