const others =
  /(?:^|\/)(?:node_modules|site-packages|vendor|third_party|target|dist|build|testdata|fixtures?|examples?|\.[^/]+)\//

/** Returns false for installed packages, build output and examples, whose tests are not the project's. */
export const isOwn = (path: string): boolean => !others.test(path)
