// node .codemod/errors.mjs packages/plugins/claims [...]: error classes → defineErrors tables.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, posix, relative } from 'node:path'
import { parseAst } from 'vitest/node'

const snake = name => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2').toLowerCase()
const camel = name => name.replace(/-([a-z])/g, (_, l) => l.toUpperCase())
const walk = (node, visit, parent) => {
  if (!node || typeof node !== 'object') return
  if (Array.isArray(node)) return node.forEach(n => walk(n, visit, parent))
  if (typeof node.type === 'string') { visit(node, parent); for (const k of Object.keys(node)) if (k !== 'type') walk(node[k], visit, node) }
}
for (const pkg of process.argv.slice(2)) {
  const name = camel(basename(pkg)); 
  const files = execFileSync('git', ['ls-files', `${pkg}/src`], { encoding: 'utf8' }).trim().split('\n').filter(f => f.endsWith('.ts') && existsSync(f))
  const texts = new Map(files.map(f => [f, readFileSync(f, 'utf8')]))
  const trees = new Map(files.map(f => [f, parseAst(texts.get(f), { lang: 'ts' })]))
  const isTest = f => /\.test\.|\/testing\//.test(f)
  // candidates
  const classes = new Map()
  for (const f of files) if (!isTest(f)) for (const st of trees.get(f).body) {
    const decl = st.type === 'ExportNamedDeclaration' ? st.declaration : st
    if (decl?.type !== 'ClassDeclaration' || !['OracleError', 'ToolFailure'].includes(decl.superClass?.name) || decl.typeParameters) continue
    const info = read(decl, texts.get(f))
    if (typeof info === 'string') { console.log(`  kept ${decl.id.name}: ${info}`); continue }
    classes.set(decl.id.name, { ...info, name: decl.id.name, file: f, node: st, kind: decl.superClass.name })
  }
  // uses
  const uses = new Map()
  for (const f of files) {
    const text = texts.get(f)
    walk(trees.get(f), (n, p) => {
      if (n.type !== 'Identifier' || !classes.has(n.name)) return
      if (p?.type === 'ClassDeclaration' && p.id === n) return
      if (p?.type?.startsWith('Import') || p?.type?.startsWith('Export')) { if (p.type.startsWith('Export')) drop(n.name, `exported in ${f}`); return }
      if (p?.type === 'Property' && p.key === n && !p.computed && !p.shorthand) return
      if (p?.type === 'MemberExpression' && p.property === n && !p.computed) return
      const list = uses.get(n.name) ?? []; uses.set(n.name, list)
      if (p?.type === 'NewExpression' && p.callee === n) return list.push({ f, type: 'new', node: p })
      if (p?.type === 'BinaryExpression' && p.operator === 'instanceof' && p.right === n) return list.push({ f, type: 'instanceof', node: p })
      if (p?.type === 'CallExpression' && isTest(f) && p.arguments[0] === n && p.arguments.length === 1 && ['toThrow', 'toBeInstanceOf', 'toThrowError'].includes(p.callee.property?.name)) return list.push({ f, type: p.callee.property.name, node: p, id: n })
      drop(n.name, `used as ${p?.type} in ${f}`)
    })
  }
  function drop(n, why) { if (classes.has(n) && !classes.get(n).dropped) { classes.get(n).dropped = why } }
  for (const [n, c] of classes) {
    for (const u of uses.get(n) ?? []) if (u.type === 'new' && u.node.arguments.some(a => a.type === 'SpreadElement')) drop(n, 'spread')
    for (const u of uses.get(n) ?? []) if (u.type === 'new' && u.node.arguments.length > c.params.length) drop(n, 'more arguments')
    for (const u of uses.get(n) ?? []) if (u.type === 'new' && u.node.arguments.length < c.params.filter(p => !p.optional).length) drop(n, 'fewer arguments')
    if (c.dropped) { console.log(`  kept ${n}: ${c.dropped}`); classes.delete(n) }
  }
  if (classes.size === 0) { console.log(`${pkg}: none`); continue }
  // table
  const kinds = [['OracleError', 'defineErrors', `${name}Errors`], ['ToolFailure', 'defineToolFailures', `${name}Failures`]]
  const present = kinds.filter(([k]) => [...classes.values()].some(c => c.kind === k))
  const groupOf = new Map(present.length === 1 ? [[present[0][0], `${name}Errors`]] : kinds.map(([k, , g]) => [k, g]))
  const target = `${pkg}/src/${basename(pkg)}-errors.ts`
  const table = new Map(present.map(([k]) => [k, []]))
  const taken = new Set()
  for (const c of classes.values()) {
    c.key = taken.has(c.code) ? snake(c.name) : c.code
    taken.add(c.key)
    c.group = groupOf.get(c.kind)
    c.ref = `${c.group}.${c.key}`
    table.get(c.kind).push(`  ${c.key}: {${c.key === c.code ? '' : ` code: '${c.code}',`}${c.status === undefined ? '' : ` status: ${c.status},`} message: ${c.message} },`)
  }
  // edits
  const edits = new Map(files.map(f => [f, []]))
  const needs = new Map(files.map(f => [f, new Set()]))
  const src = (f, n) => texts.get(f).slice(n.start, n.end)
  const replaced = f => (n) => { // text of a node with nested edits applied
    let s = texts.get(f).slice(n.start, n.end)
    const inner = edits.get(f).filter(e => e.start >= n.start && e.end <= n.end).toSorted((a, b) => b.start - a.start)
    for (const e of inner) s = s.slice(0, e.start - n.start) + e.text + s.slice(e.end - n.start)
    return s
  }
  for (const [n, list] of uses) {
    const c = classes.get(n); if (!c) continue
    for (const u of list.toSorted((a, b) => (b.node.start - a.node.start))) {
      needs.get(u.f).add(c.group)
      if (u.type === 'new') {
        const args = u.node.arguments.map(a => replaced(u.f)(a))
        const members = [], details = []
        c.params.forEach((p, i) => {
          if (args[i] === undefined) return
          if (p.use === 'message') members.push(args[i] === p.name ? p.name : `${p.name}: ${args[i]}`)
          else details.push(args[i] === p.use ? p.use : `${p.use}: ${args[i]}`)
        })
        const call = [members.length ? `{ ${members.join(', ')} }` : c.params.some(p => p.use === 'message') ? '{}' : undefined, details.length ? `{ ${details.join(', ')} }` : undefined].filter(x => x !== undefined).join(', ')
        put(u.f, u.node, `${c.ref}(${call})`)
      } else if (u.type === 'instanceof') put(u.f, u.node, `${c.ref}.is(${src(u.f, u.node.left)})`)
      else {
        const m = `expect.objectContaining({ code: '${c.code}' })`
        put(u.f, u.node.callee.property, u.type === 'toBeInstanceOf' ? 'toEqual' : u.type); put(u.f, u.id, m)
        needs.get(u.f).delete(c.group); 
      }
    }
  }
  function put(f, n, text) { const list = edits.get(f); edits.set(f, [...list.filter(e => !(e.start >= n.start && e.end <= n.end)), { start: n.start, end: n.end, text }]) }
  // recompute needs for negated instanceof parens is left to the formatter
  for (const c of classes.values()) {
    const t = texts.get(c.file); let start = c.node.start
    const before = t.slice(0, start); const m = /\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*$/.exec(before); if (m) start = m.index
    edits.get(c.file).push({ start, end: c.node.end, text: '' })
  }
  for (const f of files) {
    let list = edits.get(f); let t = texts.get(f)
    const gone = new Set([...classes.keys()])
    const usesTable = needs.get(f).size > 0
    // drop import specifiers of converted classes
    for (const st of trees.get(f).body) if (st.type === 'ImportDeclaration' && st.specifiers.some(s => gone.has(s.local?.name))) {
      const left = st.specifiers.filter(s => !gone.has(s.local.name)).map(s => src(f, s))
      list.push({ start: st.start, end: st.end, text: left.length ? `import ${st.importKind === 'type' ? 'type ' : ''}{ ${left.join(', ')} } from '${st.source.value}'` : '' })
    }
    if (list.length === 0 && !usesTable) continue
    for (const e of list.toSorted((a, b) => b.start - a.start)) t = t.slice(0, e.start) + e.text + t.slice(e.end)
    if (usesTable && f !== target) { let rel = relative(dirname(f), target); if (!rel.startsWith('.')) rel = `./${rel}`; t = `import { ${[...needs.get(f)].toSorted().join(', ')} } from '${rel}'\n` + t }
    texts.set(f, t)
    const rest = t.replace(/import [^;]*?from '[^']*'\n?/g, '').replace(/^\/\/.*$/gm, '').trim()
    if (rest === '' && f !== target) { rmSync(f); continue }
    writeFileSync(f, t)
  }
  const body = present.map(([k, fn]) => `/** ${k === 'ToolFailure' ? 'Errors whose message the model and the user read.' : 'Errors of the package.'} */\nexport const ${groupOf.get(k)} = ${fn}({\n${table.get(k).join('\n')}\n})\n`).join('\n')
  const own = existsSync(target) ? readFileSync(target, 'utf8') : ''
  const from = pkg === 'packages/plugin' ? './errors/define-errors.ts' : '@sibyl/plugin'
  writeFileSync(target, `import { ${present.map(([, fn]) => fn).join(', ')} } from '${from}'\n${own}\n${body}`)
  console.log(`${pkg}: ${classes.size} classes → ${target}`)
}

function read(decl, text) {
  let code, status, params = [], message
  const src = n => text.slice(n.start, n.end)
  const lit = n => { while (n?.type === 'TSAsExpression' || n?.type === 'TSSatisfiesExpression') n = n.expression; return n?.type === 'Literal' ? n.value : undefined }
  for (const m of decl.body.body) {
    if (m.type === 'PropertyDefinition' && m.key.name === 'code') { code = lit(m.value); if (typeof code !== 'string') return 'code' }
    else if (m.type === 'PropertyDefinition' && m.key.name === 'status') { status = lit(m.value); if (typeof status !== 'number') return 'status' }
    else if (m.type === 'MethodDefinition' && m.kind === 'constructor') {
      const fn = m.value
      for (const p of fn.params) {
        if (p.type !== 'Identifier') return `parameter ${p.type}`
        const type = src(p).replace(/^\w+\??:?\s*/, '')
        params.push({ name: p.name, type, optional: p.optional === true, use: undefined })
      }
      if (fn.body.body.length !== 1) return 'more than super()'
      const call = fn.body.body[0].expression
      if (call?.type !== 'CallExpression' || call.callee.type !== 'Super') return 'no super()'
      const [msg, second, third] = call.arguments
      if (msg?.type === 'Literal' && typeof msg.value === 'string') message = src(msg)
      else if (msg?.type === 'TemplateLiteral') {
        let out = ''
        for (const [i, q] of msg.quasis.entries()) {
          if (/[{}]/.test(q.value.cooked)) return 'braces'
          out += q.value.cooked
          const e = msg.expressions[i]
          if (!e) continue
          let id = e
          if (e.type === 'CallExpression' && e.callee.property?.name === 'join' && lit(e.arguments[0]) === ', ') id = e.callee.object
          const p = id.type === 'Identifier' && params.find(x => x.name === id.name)
          if (!p) return 'expression in the message'
          if (!/^(string|number|readonly string\[\]|string \| number|'[^;]*')$/.test(p.type.trim())) return `type ${p.type}`
          p.use = 'message'; out += `{${p.name}}`
        }
        message = out.includes("'") ? '`' + out.replaceAll('\\', '\\\\').replaceAll('`', '\\`') + '`' : `'${out.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}'`
      } else return 'message'
      for (const arg of [second, third]) {
        if (!arg) continue
        if (arg.type === 'Identifier' && /ErrorOptions/.test(params.find(p => p.name === arg.name)?.type ?? '')) return 'options'
        if (arg.type !== 'ObjectExpression') return 'second argument'
        for (const prop of arg.properties) {
          if (prop.type !== 'Property') return 'facts'
          if (prop.value.type !== 'Identifier') return 'facts'
          const p = params.find(x => x.name === prop.value.name); if (!p) return 'facts'
          if (prop.key.name === 'cause') p.use ??= 'cause'
          else if (p.use !== 'message') return 'facts beside the message'
        }
      }
      if (params.some(p => p.use === undefined)) return 'unused parameter'
      if (params.some(p => p.optional && p.use === 'message')) return 'optional parameter'
    } else return `member ${m.key?.name ?? m.type}`
  }
  if (code === undefined || message === undefined) return 'no code or message'
  if (/\{/.test(message) && !params.some(p => p.use === 'message')) return 'braces'
  return { code, status, params, message }
}
