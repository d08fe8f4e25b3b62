import tseslint from 'typescript-eslint';

const noAssertions = {
  '@typescript-eslint/consistent-type-assertions': ['error', { assertionStyle: 'never' }],
  '@typescript-eslint/no-non-null-assertion': 'error',
};

export default tseslint.config(
  { ignores: ['dist/', 'build/', 'coverage/', 'fixtures/', 'node_modules/'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }],
    },
  },
  { files: ['src/**/*.ts'], rules: noAssertions },
  { files: ['*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
);
