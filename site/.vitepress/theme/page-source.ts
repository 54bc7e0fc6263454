import { useData, withBase } from 'vitepress'
import { defineComponent, h } from 'vue'

/** Links to the page in the repository and as Markdown. */
export const PageSource = defineComponent(() => {
  const { frontmatter, page } = useData()
  return () => {
    const { source, edit } = frontmatter.value as { source?: string; edit?: string }
    const committed = edit ? h('a', { href: edit }, 'Edit this page') : ['Source: ', h('code', source)]
    return h('p', { class: 'page-source' }, [
      // A generated page has no source.
      source ? [committed, ' · '] : undefined,
      h('a', { href: withBase(`/${page.value.relativePath}`), target: '_self' }, 'View as Markdown'),
    ])
  }
})
