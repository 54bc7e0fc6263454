import { parseModule, type SyntaxNode } from '@sibyl/tooling-source'

const hostEntry = '@sibyl/plugin/host'

/** Returns the names that a module exports from files of its own package. */
export const ownExports = (text: string): ReadonlySet<string> =>
  new Set(
    (parseModule(text).tree.body as SyntaxNode[])
      .filter(({ source }) => (source as { value?: string } | null | undefined)?.value?.startsWith('./'))
      .flatMap(({ specifiers }) =>
        (specifiers as { exported: { name: string } }[]).map(({ exported }) => exported.name),
      ),
  )

/**
 * Checks that a page or source imports the names of `@sibyl/plugin` from there and from no other of our packages, and nothing from
 * `@sibyl/plugin/host`, which is for packages that run plugins.
 *
 * @returns `docs/a.md:3 imports definePlugin from @sibyl/core.`, one per error.
 */
export const checkPluginImports = (file: string, text: string, pluginNames: ReadonlySet<string>): string[] =>
  [...text.matchAll(/^(?:im|ex)port (?:type )?\{([^}]*)\} from '(@sibyl\/[^']+)'/gm)]
    .filter(([, , specifier = '']) => specifier === hostEntry || specifier.split('/')[1] !== 'plugin')
    .flatMap(({ 1: names = '', 2: specifier, index }) =>
      names
        .split(',')
        .map(
          name =>
            name
              .trim()
              .replace(/^type /, '')
              .split(' ')[0] ?? '',
        )
        .filter(name => name !== '' && (specifier === hostEntry || pluginNames.has(name)))
        .map(name => `${file}:${text.slice(0, index).split('\n').length} imports ${name} from ${specifier}.`),
    )
