import { expect, test } from 'vitest'
import { markdownHtml } from './markdown-html.ts'
import { maxCharacters, splitMarkdown } from './split-text.ts'

const tags = 'del h1 h2 h3 h4 h5 h6 blockquote p a ul ol li strong em code hr br table thead tbody tr th td pre'.split(
  ' ',
)
const attributes = / (?:href="(?:https?:\/\/|mailto:)[^"<>\s]*"|class="language-[\w+#.-]+"|start="\d+")(?=>)|^(?=>)/

/** What is wrong with HTML for Matrix: tags that are not closed, are not among those permitted, or lead elsewhere. */
const violationOf = (html: string): string | undefined => {
  const open: string[] = []
  for (const [tag, isEnd, name = '', rest = ''] of html.matchAll(/<(\/?)([a-z]\w*)?([^<]*)/g)) {
    if (!tags.includes(name) || !(isEnd ? rest.startsWith('>') : attributes.test(rest))) return tag
    if (isEnd ? open.pop() !== name : name === 'a' && open.includes('a')) return `${tag} in ${open.join(' ')}`
    if (!isEnd && name !== 'br' && name !== 'hr') open.push(name)
    if (open.length > 100) return 'too deep'
  }
  return open.at(-1)
}

test('Markdown is shown as far as Matrix has it, and a text without any goes as it is', () => {
  const text = [
    '# Pumps\n\nTwo *run*, ~~one~~ **none** does: `a < b`\nand [more](https://example.org/?a=1&b=2), or ask [Ada](https://matrix.to/#/@ada:localhost).',
    '3. three\n   - [x] done\n4. four\n\n> said\n\n---',
    '| pump | state |\n|---|:-:|\n| **1** | runs |\n\n```ts\nif (a < b && "c") {}\n```',
  ].join('\n\n')
  expect(markdownHtml(text)).toBe(
    '<h1>Pumps</h1><p>Two <em>run</em>, <del>one</del> <strong>none</strong> does: <code>a &lt; b</code><br>and ' +
      '<a href="https://example.org/?a=1&amp;b=2">more</a>, or ask <a href="https://matrix.to/#/@ada:localhost">Ada</a>.</p>' +
      '<ol start="3"><li>three<ul><li>☑ done</li></ul></li><li>four</li></ol><blockquote><p>said</p></blockquote><hr>' +
      '<table><thead><tr><th>pump</th><th>state</th></tr></thead><tbody><tr><td><strong>1</strong></td><td>runs</td></tr></tbody></table>' +
      '<pre><code class="language-ts">if (a &lt; b &amp;&amp; &quot;c&quot;) {}\n</code></pre>',
  )
  for (const plain of [
    'It runs.',
    'Ada’s "plan" is 3 > 2 & 1 < 2\n\nsee https://a.org/x_y_z',
    'a <b>tag</b>',
    'snake_case',
  ])
    expect(markdownHtml(plain)).toBeUndefined()
})

test('no tag, address or depth of a hostile text gets through, and none takes long to read', () => {
  const hostile = [
    '<script>alert(1)</script>\n\n**b** <img src=x onerror=alert(1)> <mx-reply>x</mx-reply>',
    '![x](https://evil.org/x.png) [![x](https://evil.org/1.png)](https://evil.org) ![x](mxc://a/b)',
    '[x](javascript:alert(1)) [x](JavaScript&#58;alert(1)) [x](data:text/html,x) [x](//evil.org) [x](vbscript:x) **b**',
    '<https://a.org/"onclick=x> [x](https://a.org/"><script> "t\\"><b>") [x](<https://a.org/ onclick=x>)',
    '[https://bank.org](https://evil.org) *b*',
    '```"><script>\n<b>\n```\n`<b>` **&lt;b&gt; &#60;b&#62;**',
    '| <b> |\n|---|\n| </table><script> | ',
    '<a href="javascript:x">**b**</a>\n\n<!-- **b** -->\n\n<?x?> <![CDATA[ *x* ]]>',
    ...[
      '>',
      '- ',
      '*a ',
      '**a *b ',
      '[',
      '![a](',
      '_*',
      '__',
      '`',
      '|',
      '[a](',
      '<a ',
      'www._',
      '> - ',
      '~~[__a<a',
      '|a',
    ].flatMap(it => [it.repeat(maxCharacters / it.length), `**b** ${it.repeat(maxCharacters / it.length)}x`]),
    `${'|a'.repeat(600)}|\n${'|-'.repeat(600)}|\n${'|\n'.repeat(700)}`,
  ]
  for (const text of hostile)
    expect([text.slice(0, 80), violationOf(markdownHtml(text) ?? '')]).toEqual([text.slice(0, 80), undefined])
  const shown = hostile.map(text => markdownHtml(text) ?? '').join('')
  expect(shown).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(shown).toContain('[https://bank.org](https://evil.org)')
  expect(shown).toContain('<a href="https://evil.org/x.png">x</a>')
})

test('a block of code that is cut in two is one in both messages, also while it grows', () => {
  const lines = Array.from({ length: 400 }, (_, place) => `   const a${place} = "<b>"`)
  const text = `Do this:\n\n1. Write\n   \`\`\`ts\n${lines.join('\n')}\n   \`\`\`\n\nThat is *all*.`
  const parts = splitMarkdown(text)
  expect(parts.length).toBeGreaterThan(2)
  expect(Math.max(...parts.map(part => part.length))).toBeLessThanOrEqual(maxCharacters)
  const codes = parts.map(
    part => markdownHtml(part)?.match(/<pre><code class="language-ts">([^<]*)<\/code><\/pre>/)?.[1],
  )
  expect(codes.join('')).toBe(
    `${lines.map(line => line.trim().replace('"<b>"', '&quot;&lt;b&gt;&quot;')).join('\n')}\n`,
  )
  expect(markdownHtml(parts.at(-1) ?? '')).toMatch(/<p>That is <em>all<\/em>\.<\/p>$/)
  for (const length of [5_000, 9_000]) {
    const grown = splitMarkdown(text.slice(0, length))
    expect(grown.slice(0, -1)).toEqual(parts.slice(0, grown.length - 1))
  }
})
