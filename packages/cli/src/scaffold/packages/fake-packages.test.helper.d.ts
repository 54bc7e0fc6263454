interface Manifest {
  readonly name: string
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
}
/** The packages of this checkout, as they say of themselves; what they need of ours in its version. */
export declare const workspaceManifests: () => Manifest[]
/**
 * Fills a folder with tarballs that `SIBYL_PACKAGES` takes, at once: each holds the `package.json` of a package of this
 * checkout, and nothing that runs.
 *
 * @returns the folder
 */
export declare const fakePackages: (folder: string, manifests?: Manifest[]) => Promise<string>
