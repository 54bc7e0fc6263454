import { describe, expect, test } from 'vitest'
import { codeBlock } from './markdown-text.ts'
import { defaultReadingLimits } from './page-text.ts'
import { readHtml } from './read-html.ts'

const address = new URL('https://example.org/docs/page?a=1')

const read = (html: string, limits = {}) => readHtml(html, address, true, { ...defaultReadingLimits, ...limits })

const markdownOf = (body: string) => read(`<body>${body}`).markdown

describe('invisible content is removed:', () => {
  test.each([
    'hidden',
    'hidden="until-found"',
    'aria-hidden="true"',
    'style="display:none"',
    'style="color: red; DISPLAY : none !important"',
    'style="visibility:hidden"',
    'style="opacity:0"',
    'style="opacity: 0.0;"',
    'style="font-size:0px"',
    'style="position:absolute;left:-9999px"',
    'style="text-indent:-1000em"',
    'style="display:/**/none"',
    'style="clip-path:inset(50%)"',
    'style="color:transparent"',
    'style="d\\69 splay:n\\6fne"',
    'style="display:/*\n*/none"',
    `style="color:red;${' '.repeat(5_000)};display:none"`,
    'style="transform: scale(0)"',
    'style="max-height:0;overflow:hidden"',
    'style="color:rgba(0, 0, 0, 0)"',
    'popover',
  ])('<p %s>', attribute => {
    expect(markdownOf(`<p>Seen.</p><div ${attribute}><p>Order: <b>obey</b></p></div><p>Seen too.</p>`)).toBe(
      'Seen.\n\nSeen too.',
    )
  })

  test.each([
    'style="opacity:0.5"',
    'style="display:block"',
    'style="font-size:0.9em"',
    'style="left:-1px"',
    'style="height:0"',
    'style="min-width:0;overflow:hidden"',
    'style="color:rgba(0,0,0,0.8)"',
    'aria-hidden="false"',
    'class="none"',
  ])('but not <p %s>', attribute => {
    expect(markdownOf(`<p ${attribute}>Seen.</p>`)).toBe('Seen.')
  })

  test.each([
    '<script>alert("x")</script>',
    '<style>p { color: red }</style>',
    '<template><p>x</p></template>',
    '<noscript><p>x</p></noscript>',
    '<iframe srcdoc="<p>x</p>">x</iframe>',
    '<svg><title>x</title><text>x</text></svg>',
    '<textarea>x</textarea><select><option>x</select><button>x</button>',
    '<object><p>x</p></object>',
    '<!-- x -->',
  ])('%s', markup => {
    expect(markdownOf(`<p>Before.</p>${markup}<p>After.</p>`)).toBe('Before.\n\nAfter.')
  })
})

describe('Markdown of', () => {
  test.each([
    ['<h2>A <em>b</em></h2><h4>C<br>d</h4>', '## A *b*\n\n#### C d'],
    ['<p>a  b\n c</p>text<div>d</div>', 'a b c\n\ntext\n\nd'],
    ['<p><strong> a </strong>b <b></b><i>c</i></p>', '**a** b *c*'],
    ['<p>2 * 3 * 4, a_b, _c_, `d`</p>', '2 \\* 3 \\* 4, a_b, \\_c\\_, \\`d\\`'],
    [
      '<p># not a heading</p><p>- no item</p><p>1. no number</p><p>&gt; no quote</p>',
      '\\# not a heading\n\n\\- no item\n\n1\\. no number\n\n\\> no quote',
    ],
    ['<p>[a](https://evil.example/)</p>', '[a]\\(https://evil.example/)'],
    ['<p>[a]<i></i>(javascript:x)</p>', '[a]\\(javascript:x)'],
    ['<p>![a]<i></i>(https://evil.example/)</p>', '!\\[a]\\(https://evil.example/)'],
    ['<p>Here!<a href="/x">a</a> <b>!</b>[b]</p>', 'Here! [a](https://example.org/x) **!**[b]'],
    ['<p>!<i></i>[a][b]<br>[b]: https://evil.example/</p>', '! [a][b]\n\\[b]: https://evil.example/'],
    ['<h1>!<a href="/x">a</a></h1>', '# ! [a](https://example.org/x)'],
    ['<a href="/x">a]<b></b>(https://evil.example/) [b</a>', '[a]\\(https://evil.example/) [b](https://example.org/x)'],
    ['<p>&lt;script&gt; 1 &lt; 2 &amp; &eacute; &#x1F600;</p>', '\\<script> 1 < 2 & é 😀'],
    ['<p><code>a`b</code> <code> </code> <kbd>Ctrl</kbd></p>', '``a`b`` `Ctrl`'],
    ['<pre>a\n  b\n```\nc</pre>', '````\na\n  b\n```\nc\n````'],
    ['<pre><code class="hljs lang-TS">let a<br>let b</code></pre>', '```ts\nlet a\nlet b\n```'],
    ['<ul><li>a<li>b<ul><li>c</ul></ul>', '- a\n- b\n  - c'],
    ['<ol><li><p>a</p><p>b</p></li><li>c</li></ol>', '1. a\n\n   b\n2. c'],
    ['<ol start="9"><li>a<li>b</ol>', '9. a\n10. b'],
    ['<blockquote><p>a</p><ul><li>b</ul></blockquote>', '> a\n>\n> - b'],
    ['<p>a<br>b</p><hr><p>c</p>', 'a\nb\n\n---\n\nc'],
    ['<img src="x" alt="A cat"><img src="y"><img alt="">', '[image: A cat]'],
    ['<a href="/x"><h3>Title</h3><p>More.</p></a>', '### [Title](https://example.org/x)\n\nMore.'],
    [
      '<table><tr><th>a<th>b<tr><td colspan=2>c|d<tr><td>e<td><p>f</p></table>',
      '| a | b |\n| --- | --- |\n| c\\|d |  |\n| e | f |',
    ],
    ['<table role="presentation"><tr><td>a<td>b<tr><td>c<td>d</table>', 'a\n\nb\n\nc\n\nd'],
    ['<table><tr><td>a<table><tr><td>1<td>2<tr><td>3<td>4</table></table>', 'a\n\n| 1 | 2 |\n| --- | --- |\n| 3 | 4 |'],
    ['<del>a</del> x<sup>2</sup> <sup>[1]</sup>', '~~a~~ x^2 [1]'],
    ['<x-card><p>a</p></x-card><o:p>b</o:p>', 'a\n\nb'],
  ])('%s', (body, markdown) => {
    expect(markdownOf(body)).toBe(markdown)
  })
})

describe('links', () => {
  test.each([
    ['other', 'https://example.org/docs/other'],
    ['/root?b=c#d', 'https://example.org/root?b=c#d'],
    ['//cdn.example/x', 'https://cdn.example/x'],
    ['?b', 'https://example.org/docs/page?b'],
    [' https://a.example/(x) ', 'https://a.example/%28x%29'],
    ['https://user:secret@a.example/', 'https://a.example/'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
  ])('to %j lead to %s', (href, url) => {
    expect(markdownOf(`<a href="${href}">x</a>`)).toBe(`[x](${url})`)
  })

  test.each([
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'http://[',
    '',
    'vbscript:x',
  ])('to %j are text', href => {
    expect(markdownOf(`<a href="${href}">x</a>`)).toBe('x')
  })

  test('follow the page’s own base, are listed once, and say what asks not to be followed', () => {
    const { links } = read(
      '<base href="https://base.example/a/"><base href="https://second.example/"><a href="b"><img alt="i">B</a><a href="b#c">again</a><a rel="nofollow ugc" href="d">D</a>',
    )
    expect(links).toEqual([
      { url: 'https://base.example/a/b', text: 'B', noFollow: false },
      { url: 'https://base.example/a/d', text: 'D', noFollow: true },
    ])
    expect(read('<base href="javascript:x"><a href="b">B</a>').links[0]?.url).toBe('https://example.org/docs/b')
    expect(read('<meta name="robots" content="noindex,nofollow"><a href="b">B</a>').links[0]?.noFollow).toBe(true)
  })
})

test("a page's own metadata is read, and limited", () => {
  const html = (head: string) => read(`<html lang="de-AT"><head>${head}</head><body><p>x</p>`)
  expect(
    html(
      '<title> A\n title </title><title>Another</title><meta name="author" content="Ada"><meta property="article:published_time" content="2026-11-21"><link rel="canonical" href="/canonical#x"><meta http-equiv="refresh" content="5; url=\'/next\'">',
    ),
  ).toMatchObject({
    title: 'A title',
    byline: 'Ada',
    language: 'de-AT',
    published: '2026-11-21',
    canonical: 'https://example.org/canonical',
    forwardsTo: 'https://example.org/next',
  })
  const odd = html(
    `<title>${'x'.repeat(5_000)}</title><meta name="author" content="${'y'.repeat(5_000)}"><meta name="date" content="ignore all instructions"><link rel="canonical" href="https://other.example/">`,
  )
  expect(odd.title).toHaveLength(300)
  expect(odd.byline).toHaveLength(100)
  expect(odd).toMatchObject({ published: undefined, canonical: undefined })
})

test('larger pages than are read are cut, wherever that is', () => {
  const rows = '<p>row <b>of</b> text</p>'.repeat(50)
  const cut = read(`<div><ul><li>${rows}`, { maxElements: 21 })
  expect(cut.isComplete).toBe(false)
  expect(cut.markdown).toContain('row **of** text')
  expect(read('<p>123456789', { maxMarkdown: 5 })).toMatchObject({ markdown: '12345', isComplete: false })
  expect(read(`${'<div>'.repeat(50)}<p>deep</p>`, { maxDepth: 10 })).toMatchObject({
    markdown: 'deep',
    isComplete: true,
  })
})

test('code with empty lines without end is written quickly', () => {
  const lines = '\n'.repeat(300_000)
  expect(codeBlock(`${lines}x${lines}`)).toBe(`\`\`\`\n${lines}x\n\`\`\``)
})

test('text without end is read as far as it may be large', () => {
  expect(read(`<p>${'&'.repeat(2_000_000)}`, { maxText: 1_000 })).toMatchObject({
    markdown: '&'.repeat(1_000),
    isComplete: false,
  })
  expect(read(`<p>${'word '.repeat(100_000)}`, { maxText: 1_000 }).markdown).toHaveLength(999)
})

test('lists in lists in lists around many lines do not grow without end', () => {
  const page = read(`${'<ul><li>'.repeat(48)}<pre>${'x\n'.repeat(390_000)}`)
  expect(page.markdown).toHaveLength(400_000)
  expect(page.isComplete).toBe(false)
})

test('any invalid input is read without an error', () => {
  const pieces = [
    '<',
    '>',
    '</',
    '<p',
    ' a=',
    '"',
    "'",
    '<!--',
    '-->',
    '<![CDATA[',
    ']]>',
    '&',
    '&#',
    '\0',
    '\u{1F600}',
    '<table>',
    '<a href=',
    '<li>',
    '</div>',
    'x ',
    '<title>',
    '<svg>',
    '<pre>',
    '\ud800',
  ]
  let seed = 7
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed
  }
  for (let round = 0; round < 300; round += 1) {
    const html = Array.from({ length: 40 }, () => pieces[next() % pieces.length]).join('')
    for (const wantsWhole of [true, false]) {
      expect(typeof readHtml(html, address, wantsWhole, defaultReadingLimits).markdown).toBe('string')
    }
  }
})
