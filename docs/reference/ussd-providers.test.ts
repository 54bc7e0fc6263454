import { readFileSync } from 'node:fs'
import { bundledProviders } from '@sibyl/plugin-ussd'
import { expect, test } from 'vitest'

const page = readFileSync(new URL('ussd-providers.md', import.meta.url), 'utf8')

test.each(bundledProviders())(
  'the page says the URL, limits and text of $title',
  ({ name, title, limits, textMode }) => {
    const row = page.split('\n').find(line => line.startsWith(`| ${title} `)) ?? ''
    expect(row).toContain(`\`/api/ussd/${name}\``)
    expect(row).toContain(`| ${textMode} `)
    expect(row).toContain(`| ${limits.gsm7} / ${limits.ucs2} `)
    expect(page).toContain(`\n## ${title}\n`)
  },
)
