// POST /api/v1/callgroups: creates a call group; the answer is its identifier.
using System;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Text;
using System.Threading.Tasks;

static class CreateCallGroup
{
    static void Main()
    {
        Run().GetAwaiter().GetResult();
    }

    static async Task Run()
    {
        var url = Environment.GetEnvironmentVariable("TOCSIN_URL");
        var token = Environment.GetEnvironmentVariable("TOCSIN_TOKEN");
        using (var client = new HttpClient())
        {
            client.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
            var json = @"{""name"": ""Standby"", ""userIds"": [2, 3], ""ackTimeout"": 180}";
            var body = new StringContent(json, Encoding.UTF8, "application/json");
            var answer = await client.PostAsync(url + "/api/v1/callgroups", body);
            answer.EnsureSuccessStatusCode();
            Console.WriteLine(await answer.Content.ReadAsStringAsync());
        }
    }
}
