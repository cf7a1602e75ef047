declare module "pyodide/pyodide.asm.mjs" {
  const createPyodideModule: (settings: object) => Promise<object>;
  export default createPyodideModule;
}
