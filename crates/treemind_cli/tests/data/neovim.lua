-- Neovim with `treemind lsp`, as somebody works with it. The program is in TREEMIND; what does not come true within
-- some seconds ends Neovim with status 1 and the reason on standard error.

local program = assert(vim.env.TREEMIND)

local function fail(why)
  io.stderr:write(why .. "\n")
  vim.cmd("cquit 1")
end

local function wait(what, is_so)
  if not vim.wait(20000, is_so, 20) then
    fail("not within 20 seconds: " .. what)
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
end

local function work()
  local id = vim.lsp.start_client({
    name = "treemind",
    cmd = { program, "lsp" },
    root_dir = vim.fn.getcwd(),
    -- Changes are sent at once; otherwise it asks before it has told.
    flags = { debounce_text_changes = 0 },
  })
  vim.lsp.buf_attach_client(0, id)
  local client = vim.lsp.get_client_by_id(id)
  wait("the server has started", function()
    return client.initialized
  end)
  local function ask(method, more)
    local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, client.offset_encoding), more or {})
    local answer, why = client.request_sync(method, params, 20000, 0)
    if not answer or answer.err then
      fail(method .. ": " .. vim.inspect(answer or why))
    end
    return answer.result
  end

  -- Mistakes.
  wait("a mistake is shown", function()
    local found = vim.diagnostic.get(0)
    return #found == 1 and found[1].code == "T0102" and found[1].lnum == 7
  end)

  -- Hover.
  vim.api.nvim_win_set_cursor(0, { 6, 16 })
  local hover = ask("textDocument/hover")
  if not hover.contents.value:find("key health: float = 100.0", 1, true) then
    fail("hover says " .. vim.inspect(hover))
  end

  -- A quick fix.
  vim.api.nvim_win_set_cursor(0, { 8, 16 })
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = {} }
  local actions = client.request_sync("textDocument/codeAction", params, 20000, 0).result
  local fix = nil
  for _, action in ipairs(actions) do
    if action.title:find("write `patrol`", 1, true) then
      fix = action
    end
  end
  if not fix then
    fail("no fix in " .. vim.inspect(actions))
  end
  vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
  wait("the mistake is gone", function()
    return #vim.diagnostic.get(0) == 0
  end)

  -- A name is changed where it is defined and where it is used.
  vim.api.nvim_win_set_cursor(0, { 6, 16 })
  vim.lsp.buf.rename("life")
  wait("the name is changed", function()
    return text():find("key life type", 1, true) and text():find('"life < 20"', 1, true)
  end)

  -- Completion, by the keys that a person uses, in a line that is not finished.
  vim.api.nvim_buf_set_lines(0, 8, 8, false, { "        action re" })
  vim.api.nvim_win_set_cursor(0, { 9, 17 })
  vim.bo.omnifunc = "v:lua.vim.lsp.omnifunc"
  local offered = ask("textDocument/completion", { position = { line = 8, character = 17 } })
  if offered.items[1].label ~= "rest" then
    fail("completion offers " .. vim.inspect(offered.items[1]))
  end
  vim.lsp.util.apply_text_edits({ offered.items[1].textEdit }, 0, client.offset_encoding)

  -- Formatting changes what is not in its style, and nothing else.
  vim.api.nvim_buf_set_lines(0, 8, 9, false, { "   action   rest" })
  local edits = client.request_sync("textDocument/formatting", {
    textDocument = vim.lsp.util.make_text_document_params(0),
    options = { tabSize = 4, insertSpaces = true },
  }, 20000, 0).result
  vim.lsp.util.apply_text_edits(edits, 0, client.offset_encoding)
  if vim.api.nvim_buf_get_lines(0, 8, 9, false)[1] ~= "        action rest" then
    fail("formatted: " .. text())
  end

  vim.cmd("silent write")
  client.stop()
  wait("the server has ended", function()
    return client.is_stopped()
  end)
  io.stderr:write("all is well\n")
  vim.cmd("qall!")
end

local is_good, why = pcall(work)
if not is_good then
  fail(tostring(why))
end
