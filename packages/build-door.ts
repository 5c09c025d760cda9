import { defineConfig } from 'tsdown'

/**
 * Builds a package's door with its types; other people's packages stay outside.
 *
 * @param entry files of the package's folder
 * @param finish adds to the folder of the build
 */
export const buildDoor = (entry: readonly string[], finish?: (folder: string) => Promise<void>) =>
  defineConfig({
    entry: [...entry],
    format: 'esm',
    platform: 'node',
    target: 'node22',
    fixedExtension: true,
    dts: true,
    clean: true,
    hooks: { 'build:done': ({ options }) => finish?.(options.outDir) },
  })
