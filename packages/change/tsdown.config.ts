import { defineConfig } from 'tsdown'

/** Builds the door with its types; other people's packages stay outside. */
export default defineConfig({
  entry: ['change.ts'],
  format: 'esm',
  platform: 'node',
  target: 'node22',
  fixedExtension: true,
  dts: true,
  clean: true,
})
